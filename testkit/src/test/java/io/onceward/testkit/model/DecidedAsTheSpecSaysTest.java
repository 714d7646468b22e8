package io.onceward.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Auditor;
import io.onceward.testkit.audit.Batch;
import io.onceward.testkit.audit.Events.Shown;
import io.onceward.testkit.audit.Execution;
import io.onceward.testkit.audit.Ledger;
import io.onceward.testkit.audit.Violation;
import io.onceward.testkit.world.Wish;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecidedAsTheSpecSaysTest {
  private static final Bytes PAYLOAD = Bytes.of(ByteBuffer.allocate(16).putLong(71).array());
  private static final Reply REPLY = Reply.ok("done");
  private static final Request ASK =
      new Request.Keyed(Scope.NONE, Key.text("order 1"), null, List.of(), PAYLOAD);

  private final Auditor auditor =
      new Auditor(new Ledger(), List.of(new DecidedAsTheSpecSays()), Wish::numberIn);

  private void decided(long position, Request request, Decision decision, Execution... executions) {
    Batch batch = new Batch();
    for (Execution execution : executions) {
      batch.executed(execution);
    }
    batch.decided(decision);
    LogEntry entry = new LogEntry(0, 1_000, List.of(new LogEntry.Proposal("alice", request)));
    auditor.applied(0, position, 1, entry.encode(), batch);
  }

  @Test
  void whatTheRulesSayIsLetPass() {
    assertThatCode(
            () -> {
              decided(
                  1,
                  ASK,
                  new Decision.Replied(REPLY, false, 1, 1_000),
                  new Execution(71, "alice", REPLY));
              decided(2, ASK, new Decision.Replied(REPLY, true, 1, 1_000));
              auditor.shown(new Shown(0, 2, 1_000, 0, 64 + 56 + 4));
            })
        .doesNotThrowAnyException();
  }

  @Test
  void anotherDecisionIsNoticed() {
    assertThatThrownBy(() -> decided(1, ASK, new Decision.Refused(Refusal.FORGOTTEN)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("DecidedAsTheSpecSays: decided otherwise")
        .hasMessageContaining("by the rules it is Replied");
  }

  @Test
  void anotherAccountIsNoticed() {
    decided(1, new Request.Tick(), new Decision.Done());
    assertThatThrownBy(() -> auditor.shown(new Shown(0, 1, 1_000, 0, 1)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("another time, age or account");
  }

  @Test
  void theModelKeepsAReplyThatIsTooLargeAsOne() {
    Model model = new Model();
    model.enter(1, 1, 1_000, 0);
    Reply large = Reply.ok(Bytes.of(new byte[(1 << 20) + 1]));
    Decision decision = model.decide(0, "alice", ASK, () -> large);
    assertThat(decision).isEqualTo(new Decision.Replied(Reply.REPLY_TOO_LARGE, false, 1, 1_000));
  }
}
