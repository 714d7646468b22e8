package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Reply;
import io.onceward.guard.GuardException;
import io.onceward.guard.Ruling;
import io.onceward.testpostgres.PostgresServer;
import io.onceward.testpostgres.Wire;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A commit was sent and its answer did not come: claiming again tells what became of it (G5). */
class LostCommitTest {
  private static final String COMMIT = "COMMIT";

  private final Bank bank = new Bank();
  private Wire wire;
  private OnceTransaction once;
  private final AtomicInteger runs = new AtomicInteger();

  @BeforeEach
  void connect() throws Exception {
    wire = new Wire(PostgresServer.shared().port());
    once =
        OnceTransaction.on(wire.over(bank.dataSource())).retryEvery(Duration.ofMillis(1)).build();
  }

  @AfterEach
  void disconnect() throws Exception {
    wire.close();
  }

  private Ruling decide() {
    return once.decide(
        asking("a"),
        connection -> {
          runs.incrementAndGet();
          return transfer(10).run(connection);
        });
  }

  @Test
  void aCommitThatHappenedIsNotRepeated() {
    wire.when(COMMIT, Wire.Fault.LOSE_THE_ANSWER);
    Ruling ruling = decide();
    assertThat(wire.hasStruck()).isTrue();
    assertThat(ruling).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(runs).hasValue(1);
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void aCommitThatNeverArrivedIsRunAgain() {
    wire.when(COMMIT, Wire.Fault.LOSE_THE_MESSAGE);
    Ruling ruling = decide();
    assertThat(wire.hasStruck()).isTrue();
    assertThat(ruling).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
    assertThat(runs).hasValue(2);
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  /** Execution 10: reading at once would see no row, and then it commits. */
  @Test
  void aCommitThatIsStillUnderWayIsWaitedFor() throws Exception {
    wire.when(COMMIT, Wire.Fault.DELAY_THE_MESSAGE);
    CompletableFuture<Ruling> ruling = CompletableFuture.supplyAsync(this::decide);
    Eventually.until("the client has lost its commit and asks again", () -> bank.waiting() == 1);
    assertThat(wire.hasStruck()).isTrue();
    assertThat(bank.records()).as("what reading at once would see").isZero();
    wire.deliver();
    assertThat(ruling.get(30, TimeUnit.SECONDS))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(runs).hasValue(1);
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void aCommitThatStaysOpenIsUnknownAndTheSameIdSettlesItLater() throws Exception {
    once =
        OnceTransaction.on(wire.over(bank.dataSource()))
            .retryEvery(Duration.ofMillis(1))
            .waitAtMost(Duration.ofMillis(50))
            .build();
    wire.when(COMMIT, Wire.Fault.DELAY_THE_MESSAGE);
    Ruling ruling = decide();
    assertThat(ruling).isInstanceOf(Ruling.Unknown.class);
    assertThat(((Ruling.Unknown) ruling).resendSettles()).isTrue();
    assertThat(GuardException.of(asking("a").id(), ruling))
        .hasMessageContaining("send it again under the same")
        .hasMessageNotContaining("operator");
    wire.deliver();
    Eventually.until("the late commit has arrived", () -> bank.records() == 1);
    assertThat(decide()).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  /** It says why, with an SQLSTATE of its own; its log may have the commit all the same. */
  @Test
  void aCommitInWhichTheServerPanicsIsOpen() {
    wire.when(COMMIT, Wire.Fault.PANIC);
    Ruling ruling = decide();
    assertThat(wire.hasStruck()).isTrue();
    assertThat(ruling).isInstanceOf(Ruling.Unknown.class);
    assertThat(((Ruling.Unknown) ruling).resendSettles()).isTrue();
    wire.mend();
    assertThat(decide()).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(runs).hasValue(1);
    assertThat(bank.balance("bob")).isEqualTo(10);
  }
}
