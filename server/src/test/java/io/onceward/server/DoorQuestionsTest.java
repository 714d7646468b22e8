package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.server.DoorRig.Heard;
import io.onceward.server.DoorRig.Listener;
import io.onceward.server.DoorRig.Surroundings;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What questions take while they wait for a confirmation is counted and limited (L1, L2). */
class DoorQuestionsTest {
  private static final long NOW = 1_000;
  private static final int KIB = 1 << 10;
  private static final Answer FULL =
      new Answer.Unavailable("too many bytes of questions in flight");
  private static final Answer FULL_CONNECTION =
      new Answer.Unavailable("too many bytes of questions in flight on a connection");

  private final Surroundings around = new Surroundings();
  private final Listener alice = new Listener("alice");
  private final Listener bob = new Listener("bob");
  private final Listener carol = new Listener("carol");

  /** Questions may take 32 KiB, and 16 KiB on one connection. */
  private final Door door =
      new Door(around, new DoorLimits(1, 1 << 20, 100, 100, 128 * KIB), new Door.Seed(1, 2));

  DoorQuestionsTest() {
    door.open(7);
  }

  private static Question query(int bytes) {
    return new Question.Query(Bytes.of(new byte[bytes]));
  }

  private static Question request(int bytes) {
    return new Question.Logged(
        Bytes.of(RequestCodec.encode(new Request.Unkeyed(Bytes.of(new byte[bytes])))));
  }

  private void fill() {
    door.ask(alice, 1, query(15 * KIB));
    door.ask(bob, 2, query(15 * KIB));
    assertThat(alice.heard).isEmpty();
    assertThat(bob.heard).isEmpty();
  }

  private void isFullFor(Listener visitor) {
    int before = visitor.heard.size();
    door.ask(visitor, 8, query(4 * KIB));
    assertThat(visitor.heard).hasSize(before + 1).last().isEqualTo(new Heard(8, FULL));
  }

  private void isEmptyAgain() {
    alice.heard.clear();
    bob.heard.clear();
    fill();
    assertThat(alice.waiting).isOne();
  }

  @Test
  void waitingQueriesTakeRoomForTheirPayload() {
    fill();
    isFullFor(carol);
    door.ask(carol, 9, new Question.CountOlderThan(1));
    assertThat(carol.heard).as("there is room for a short one").hasSize(1);
  }

  @Test
  void oneConnectionTakesHalfTheRoomForQuestions() {
    door.ask(alice, 1, query(15 * KIB));
    door.ask(alice, 2, query(4 * KIB));
    assertThat(alice.only()).isEqualTo(FULL_CONNECTION);
    door.ask(bob, 3, query(4 * KIB));
    assertThat(bob.heard).isEmpty();
  }

  @Test
  void longestQueryAloneFindsRoomAndALongerOneIsRejected() {
    Listener visitor = new Listener("dave");
    door.ask(visitor, 1, query(DoorLimits.DEFAULT.queryBytes()));
    assertThat(visitor.heard).isEmpty();
    door.ask(carol, 2, query(DoorLimits.DEFAULT.queryBytes() + 1));
    assertThat(carol.only())
        .isEqualTo(new Answer.Rejected("a query may have 16842752 bytes at most"));
  }

  @Test
  void answeredQueriesGiveTheirRoomBack() {
    fill();
    door.flush(NOW);
    isFullFor(carol);
    assertThat(door.readable(around.confirming.get(0))).isFalse();
    isEmptyAgain();
  }

  @Test
  void queriesGiveTheirRoomBackWhenTheyCannotBeConfirmed() {
    fill();
    door.flush(NOW);
    door.unreadable(around.confirming.get(0), "gone");
    isEmptyAgain();
  }

  @Test
  void shutDoorGivesTheRoomOfQueriesBack() {
    fill();
    door.shut("other");
    door.open(7);
    isEmptyAgain();
  }

  @Test
  void shutDoorKeepsTheRoomOfQueriesThatAwaitConfirmation() {
    fill();
    door.flush(NOW);
    door.shut("other");
    door.open(7);
    isFullFor(carol);
    door.unreadable(around.confirming.get(0), "gone");
    isEmptyAgain();
  }

  @Test
  void questionsWithNamesTakeRoomForThem() {
    Scope scope = new Scope("s".repeat(128));
    for (int i = 0; i < 100; i++) {
      door.ask(alice, i, new Question.OutcomeOfKey(scope, Key.text("k")));
    }
    assertThat(alice.heard).isNotEmpty().last().isEqualTo(new Heard(99, FULL_CONNECTION));
  }

  @Test
  void queriesKeepNoRequestOutAndRequestsNoQuery() {
    fill();
    isFullFor(carol);
    door.ask(bob, 3, request(100 * KIB));
    assertThat(bob.heard).isEmpty();
    door.flush(NOW);
    door.readable(around.confirming.get(0));
    door.ask(carol, 4, request(100 * KIB));
    assertThat(carol.heard).as("no room for this one").hasSize(2);
    door.ask(bob, 5, query(4 * KIB));
    assertThat(bob.heard).isEmpty();
    assertThat(around.proposed.stream().map(one -> one.batch().size()).toList())
        .isEqualTo(List.of(1));
  }
}
