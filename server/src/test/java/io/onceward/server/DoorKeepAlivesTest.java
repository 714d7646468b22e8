package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Scope;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keep-alives wait for an entry to carry them, and keep nobody out meanwhile (S7, L2). */
class DoorKeepAlivesTest {
  private static final long TAG = 99;
  private static final long NOW = 1_700_000_000_000L;
  private static final int MILLION = 1_000_000;

  private record Proposed(LogEntry entry, Door.Batch batch) {
    int size() {
      return entry.proposals().size();
    }

    boolean carries(Class<? extends Request> type) {
      return entry.proposals().stream()
          .anyMatch(one -> type.isInstance(RequestCodec.decode(one.frame())));
    }
  }

  private static final class Counter extends Visitor {
    int decided;
    int refused;

    Counter(String principal) {
      super(principal);
    }

    @Override
    protected void answer(long ticket, Answer answer) {
      if (answer instanceof Answer.Decided told
          && told.decision() instanceof Decision.Refused refusal) {
        assertThat(refusal)
            .isEqualTo(new Decision.Refused(Refusal.OVERLOADED, "bytes of keep-alives in flight"));
        refused++;
      } else {
        decided++;
      }
    }
  }

  private final ArrayDeque<Proposed> proposed = new ArrayDeque<>();

  private final Door.Surroundings around =
      new Door.Surroundings() {
        @Override
        public void propose(byte[] entry, Door.Batch batch) {
          proposed.add(new Proposed(LogEntry.decode(entry), batch));
        }

        @Override
        public void confirm(Door.Reads reads) {}

        @Override
        public void serve(Visitor visitor, long ticket, Question question) {}

        @Override
        public boolean remembers(String principal, Request request) {
          return false;
        }

        @Override
        public List<Key> withReply(String principal, Scope scope, List<Key> keys) {
          return List.of();
        }

        @Override
        public boolean movesWatermark(String principal, Request.Address address, long watermark) {
          return false;
        }

        @Override
        public Door.Room room(String principal) {
          return Door.Room.AMPLE;
        }
      };

  private Door openDoor(DoorLimits limits) {
    Door made = new Door(around, limits, new Door.Seed(1, 2));
    made.open(TAG);
    return made;
  }

  private static Question keepAlive(long session) {
    return logged(new Request.KeepAlive(new Request.Address(TAG, session, session), 1));
  }

  private static Question honest() {
    return logged(new Request.Keyed(Scope.NONE, Key.text("k"), null, List.of(), Bytes.utf8("pay")));
  }

  private static Question logged(Request request) {
    return new Question.Logged(Bytes.of(RequestCodec.encode(request)));
  }

  private void settle(Door door) {
    Proposed first = proposed.remove();
    List<Decision> decisions = new ArrayList<>();
    for (int i = 0; i < first.batch().size(); i++) {
      decisions.add(new Decision.Done());
    }
    door.decided(first.batch(), decisions);
    door.flush(NOW);
  }

  private void settleAll(Door door) {
    while (!proposed.isEmpty()) {
      settle(door);
    }
  }

  /** Execution 25. */
  @Test
  void millionKeepAlivesKeepNobodyOut() {
    Door door = openDoor(DoorLimits.DEFAULT);
    List<Counter> crowd = new ArrayList<>();
    for (int i = 0; i < MILLION; i++) {
      if (i % 50_000 == 0) {
        crowd.add(new Counter("crowd"));
      }
      door.ask(crowd.get(crowd.size() - 1), i, keepAlive(i + 1));
    }
    door.flush(NOW);
    assertThat(proposed).as("the log stands still").hasSize(2);
    Counter alice = new Counter("alice");
    door.ask(alice, 1, honest());
    assertThat(alice.refused).isZero();
    settle(door);
    assertThat(proposed.getLast().carries(Request.Keyed.class)).as("the next entry").isTrue();
    settleAll(door);
    assertThat(alice.decided).isEqualTo(1);
    assertThat(crowd.stream().mapToInt(one -> one.decided + one.refused).sum()).isEqualTo(MILLION);
    assertThat(crowd.stream().mapToInt(one -> one.decided).sum()).isGreaterThan(100_000);
  }

  @Test
  void copiesOfOneKeepAliveKeepNoOtherOut() {
    Door door = openDoor(DoorLimits.DEFAULT);
    List<Counter> crowd = new ArrayList<>();
    for (int i = 0; i < 300_000; i++) {
      if (i % 50_000 == 0) {
        crowd.add(new Counter("crowd"));
      }
      door.ask(crowd.get(crowd.size() - 1), i, keepAlive(1));
      door.flush(NOW);
      settleAll(door);
    }
    assertThat(crowd.stream().mapToInt(one -> one.refused).sum()).isZero();
    Counter alice = new Counter("alice");
    door.ask(alice, 1, keepAlive(2));
    assertThat(alice.refused).isZero();
  }

  @Test
  void fewKeepAlivesWaitForTheTick() {
    Door door = openDoor(DoorLimits.DEFAULT);
    Counter alice = new Counter("alice");
    for (int i = 1; i <= 1_000; i++) {
      door.ask(alice, i, keepAlive(i));
    }
    door.flush(NOW);
    assertThat(proposed).isEmpty();
    door.tick();
    door.flush(NOW);
    assertThat(proposed).hasSize(1);
    settleAll(door);
    assertThat(alice.decided).isEqualTo(1_000);
  }

  @Test
  void tickTakesAllAlongThatWait() {
    Door door = openDoor(new DoorLimits(1, 1 << 20, 10, 1_000, 1 << 20));
    Counter alice = new Counter("alice");
    for (int i = 1; i <= 95; i++) {
      door.ask(alice, i, keepAlive(i));
    }
    door.tick();
    door.flush(NOW);
    settleAll(door);
    assertThat(alice.decided).isEqualTo(95);
    assertThat(door.keepAlivesWait()).isFalse();
  }

  @Test
  void busyQueueAndKeepAlivesShareEntries() {
    Door door = openDoor(new DoorLimits(1, 1 << 20, 10, 1_000, 1 << 20));
    Counter alice = new Counter("alice");
    for (int i = 1; i <= 100; i++) {
      door.ask(alice, i, keepAlive(i));
      door.ask(alice, 100 + i, logged(new Request.Unkeyed(Bytes.utf8("x"))));
    }
    door.flush(NOW);
    for (int i = 0; i < 10; i++) {
      assertThat(proposed.element().size()).isEqualTo(10);
      assertThat(proposed.element().carries(Request.KeepAlive.class)).isTrue();
      assertThat(proposed.element().carries(Request.Unkeyed.class)).isTrue();
      settle(door);
    }
  }

  /** A request that fits into no entry beside keep-alives (L2). */
  @Test
  void largeRequestsAndKeepAlivesTakeTurns() {
    Door door = openDoor(new DoorLimits(1, 1_000, 10, 1_000, 1 << 20));
    Counter alice = new Counter("alice");
    Request large = new Request.Unkeyed(Bytes.of(new byte[1_100]));
    door.ask(alice, 1, keepAlive(1));
    door.ask(alice, 2, logged(large));
    int requests = 0;
    int keepAlives = 0;
    door.flush(NOW);
    for (int i = 2; i <= 21; i++) {
      requests += proposed.element().carries(Request.Unkeyed.class) ? 1 : 0;
      keepAlives += proposed.element().carries(Request.KeepAlive.class) ? 1 : 0;
      door.ask(alice, 2L * i, keepAlive(i));
      door.ask(alice, 2L * i + 1, logged(large));
      settle(door);
    }
    assertThat(requests).isEqualTo(10);
    assertThat(keepAlives).isEqualTo(10);
  }

  @Test
  void accountIsEmptyAgainAfterAllWereAnswered() {
    Door door = openDoor(new DoorLimits(1, 1 << 20, 100, 100, 4 << 10));
    Counter alice = new Counter("alice");
    for (int round = 1; round <= 50; round++) {
      // Each is asked twice: the copy joins the first.
      for (int i = 1; i <= 4; i++) {
        door.ask(alice, i, keepAlive(i % 2 + 1));
      }
      if (round % 3 == 0) {
        door.shut("");
        door.open(TAG);
      } else {
        door.tick();
        door.flush(NOW);
        if (round % 3 == 1) {
          settleAll(door);
        } else {
          door.lost(proposed.remove().batch(), "gone");
        }
      }
    }
    assertThat(alice.refused).isZero();
    assertThat(alice.decided).isEqualTo(200);
    assertThat(alice.waiting).isZero();
  }
}
