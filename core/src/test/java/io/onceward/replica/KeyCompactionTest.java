package io.onceward.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Frozen;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.Scope;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Many chunks, many scopes, most keys acknowledged: records move, and nobody may notice. */
class KeyCompactionTest {
  private static final int KEYS = 20_000;
  private static final int SCOPES = 300;

  private final Random random = new Random(3);
  private final Replica replica = new Replica(new TextService(), 11);
  private final boolean[] acknowledged = new boolean[KEYS];
  private long position;

  @Test
  void recordsThatMoveAreFoundWithTheirReplies() throws IOException {
    fill();
    acknowledgeMost();
    tick();
    assertEveryOutcome(replica);
    assertEveryOutcome(restored(replica.freeze()));
  }

  @Test
  void aFrozenViewDoesNotSeeRecordsMove() throws IOException {
    fill();
    Frozen frozen = replica.freeze();
    byte[] before = bytes(replica.freeze());
    acknowledgeMost();
    tick();
    assertThat(bytes(frozen)).isEqualTo(before);
  }

  @Test
  void compactionChangesNoDigest() throws IOException {
    fill();
    acknowledgeMost();
    Replica untidied = restored(replica.freeze());
    tick();
    apply(untidied, new Request.Tick());
    for (int i = 0; i < 20; i++) {
      tick();
      apply(untidied, new Request.Tick());
    }
    assertThat(untidied.digest()).isEqualTo(replica.digest());
  }

  private void fill() {
    for (int i = 0; i < KEYS; i += 100) {
      List<Request> requests = new ArrayList<>();
      for (int k = i; k < i + 100; k++) {
        Bytes command = Bytes.utf8("c" + "x".repeat(k % 60) + k);
        requests.add(new Request.Keyed(scope(k), key(k), null, List.of(), command));
      }
      position++;
      apply(replica, requests.toArray(Request[]::new));
    }
  }

  private void acknowledgeMost() {
    for (int i = 0; i < KEYS * 2; i++) {
      int k = random.nextInt(KEYS);
      acknowledged[k] = true;
      position++;
      apply(replica, new Request.Acknowledge(scope(k), List.of(key(k))));
    }
  }

  private void tick() {
    position++;
    apply(replica, new Request.Tick());
  }

  private void apply(Replica target, Request... requests) {
    List<LogEntry.Proposal> proposals = new ArrayList<>();
    for (Request request : requests) {
      proposals.add(new LogEntry.Proposal("alice", request));
    }
    target.apply(position, 1, new LogEntry(0, 1_000, proposals).encode(), null);
  }

  private void assertEveryOutcome(Replica asked) {
    for (int k = 0; k < KEYS; k++) {
      Outcome outcome = asked.outcome("alice", scope(k), key(k));
      long executedAt = k / 100 + 1L;
      Reply reply = Reply.ok("c" + "x".repeat(k % 60) + k + "@" + executedAt);
      Outcome expected =
          acknowledged[k]
              ? new Outcome.Acknowledged()
              : new Outcome.Executed(reply, executedAt, 1_000);
      assertThat(outcome).isEqualTo(expected);
    }
  }

  private static Key key(int k) {
    return Key.of(Key.Kind.HASH, k, k * 31L);
  }

  private static Scope scope(int k) {
    return new Scope("scope " + k % SCOPES);
  }

  private static Replica restored(Frozen frozen) throws IOException {
    return Replica.restore(new TextService(), 12, new ByteArrayInputStream(bytes(frozen)));
  }

  private static byte[] bytes(Frozen frozen) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    frozen.writeTo(out);
    return out.toByteArray();
  }
}
