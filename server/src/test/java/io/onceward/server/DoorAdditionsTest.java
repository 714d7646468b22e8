package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.replica.Limits;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.server.DoorRig.Heard;
import io.onceward.server.DoorRig.Listener;
import io.onceward.server.DoorRig.Surroundings;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the door logs by itself is logged once, accounted, and never more than its limits. */
class DoorAdditionsTest {
  private static final long TAG = 99;
  private static final long NOW = 1_700_000_000_000L;
  private static final Request.Address ADDRESS = new Request.Address(TAG, 7, 7);
  private static final Door.Room FULL = new Door.Room(10, 600, 100);
  private static final Key TAKEN = Key.text("taken");
  private static final Request ACKNOWLEDGE = new Request.Acknowledge(Scope.NONE, List.of(TAKEN));

  private final Surroundings around = new Surroundings();
  private final Listener alice = new Listener("alice");
  private final Listener bob = new Listener("bob");
  private final Door door = openDoor(DoorLimits.DEFAULT);

  private Door openDoor(DoorLimits limits) {
    Door made = new Door(around, limits, new Door.Seed(1, 2));
    made.open(TAG);
    return made;
  }

  private void fullTable() {
    around.roomNow = FULL;
    door.room("alice", FULL);
    door.room("bob", FULL);
  }

  private static Question keyed(String key, Key... acknowledged) {
    return new Question.Logged(
        Bytes.of(
            RequestCodec.encode(
                new Request.Keyed(
                    Scope.NONE,
                    Key.text(key),
                    new Fingerprint(1),
                    List.of(acknowledged),
                    Bytes.utf8("x")))));
  }

  private static Question inSession(long sequence, long watermark) {
    return new Question.Logged(
        Bytes.of(
            RequestCodec.encode(
                new Request.InSession(
                    ADDRESS, sequence, watermark, new Fingerprint(1), Bytes.utf8("x")))));
  }

  /** Everything that was handed to the log. */
  private List<Request> logged() {
    List<Request> all = new ArrayList<>();
    around.proposed.forEach(
        one ->
            one.entry()
                .proposals()
                .forEach(proposal -> all.add(RequestCodec.decode(proposal.frame()))));
    return all;
  }

  private void settleAll(Door atDoor) {
    for (int i = 0; i < around.proposed.size(); i++) {
      Door.Batch batch = around.proposed.get(i).batch();
      List<Decision> decisions = new ArrayList<>();
      for (int j = 0; j < batch.size(); j++) {
        decisions.add(new Decision.Done());
      }
      atDoor.decided(batch, decisions);
      atDoor.flush(NOW);
    }
    around.proposed.clear();
  }

  private static Answer refused(String limit) {
    return new Answer.Decided(new Decision.Refused(Refusal.OVERLOADED, limit), TAG);
  }

  @Test
  void equalAcknowledgementsOfRefusedCopiesAreLoggedOnce() {
    fullTable();
    for (int copy = 0; copy < 100; copy++) {
      door.ask(alice, copy, keyed("k", TAKEN));
      door.flush(NOW);
    }
    assertThat(logged()).containsExactly(ACKNOWLEDGE);
    assertThat(alice.heard)
        .hasSize(100)
        .allSatisfy(heard -> assertThat(heard.answer()).isEqualTo(refused("table bytes")));
  }

  /**
   * Execution 24: three connections of one client resend a request that finds no room, ten times
   * each, with all the keys that a request can acknowledge. Each acknowledgement is logged and
   * accounted once, however many copies come (L1, L2, K6).
   */
  @Test
  void execution24CopiesWithAThousandKeysDoNotPileUp() {
    int connections = 3;
    int retries = 10;
    Key[] taken = new Key[Limits.ACKNOWLEDGED_KEYS];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = Key.of(Key.Kind.UUID, 24, i);
    }
    Question copy = keyed("k", taken);
    int frameBytes = ((Question.Logged) copy).frame().length();
    // The first copy's acknowledgements take less than this; a second one's would not fit.
    long first = 3L * frameBytes + (long) taken.length * Additions.ITEM_BYTES;
    Door exact = openDoor(new DoorLimits(1, 4 << 20, 100, 100, first));
    around.roomNow = FULL;
    List<Listener> visitors = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      visitors.add(new Listener("alice"));
    }
    // A queue that stands still: the one entry that may be outstanding is.
    exact.ask(bob, 0, acknowledge("other"));
    exact.flush(NOW);
    for (int retry = 0; retry < retries; retry++) {
      for (Listener visitor : visitors) {
        exact.ask(visitor, retry, copy);
        exact.flush(NOW);
      }
    }
    int waiting = 0;
    for (Listener visitor : visitors) {
      assertThat(visitor.heard)
          .hasSize(retries)
          .allSatisfy(heard -> assertThat(heard.answer()).isEqualTo(refused("table bytes")));
      waiting += visitor.waiting;
    }
    assertThat(waiting).as("one addition stands in the queue, not thirty").isEqualTo(1);
    assertThat(around.lookedUp)
        .as("keys under way are not looked up again")
        .isEqualTo(taken.length);
    exact.decided(around.proposed.remove(0).batch(), List.of(new Decision.Done()));
    exact.flush(NOW);
    List<Request> expected = List.of(new Request.Acknowledge(Scope.NONE, List.of(taken)));
    assertThat(logged().equals(expected)).as("all keys, once").isTrue();
    settleAll(exact);
    exact.flush(NOW);
    assertThat(logged()).isEmpty();
    assertThat(visitors).allSatisfy(visitor -> assertThat(visitor.waiting).isZero());
    // The account is where it was: as much fits as in the beginning.
    around.roomNow = Door.Room.AMPLE;
    exact.ask(bob, 1, filling(first - 128));
    exact.flush(NOW);
    assertThat(logged()).hasSize(1);
  }

  private static Question acknowledge(String key) {
    return new Question.Logged(
        Bytes.of(RequestCodec.encode(new Request.Acknowledge(Scope.NONE, List.of(Key.text(key))))));
  }

  /** A request whose frame has this many bytes. */
  private static Question filling(long frameBytes) {
    Bytes none = Bytes.of(RequestCodec.encode(new Request.Unkeyed(Bytes.EMPTY)));
    for (int length = (int) frameBytes - none.length(); ; length--) {
      byte[] frame = RequestCodec.encode(new Request.Unkeyed(Bytes.of(new byte[length])));
      if (frame.length <= frameBytes) {
        assertThat(frame.length).isBetween((int) frameBytes - 3, (int) frameBytes);
        return new Question.Logged(Bytes.of(frame));
      }
    }
  }

  @Test
  void equalAcknowledgementsOfJoinedCopiesAreLoggedOnce() {
    door.ask(alice, 0, keyed("k"));
    door.flush(NOW);
    for (int copy = 1; copy < 100; copy++) {
      door.ask(alice, copy, keyed("k", TAKEN));
      door.flush(NOW);
    }
    assertThat(logged()).hasSize(2).contains(ACKNOWLEDGE);
  }

  @Test
  void copyThatEqualsItsTwinAddsNothing() {
    door.ask(alice, 0, keyed("k", TAKEN));
    door.ask(alice, 1, keyed("k", TAKEN));
    door.flush(NOW);
    assertThat(logged()).hasSize(1);
    assertThat(around.lookedUp).isZero();
  }

  @Test
  void principalsDoNotShareAcknowledgements() {
    fullTable();
    door.ask(alice, 1, keyed("k", TAKEN));
    door.ask(bob, 1, keyed("k", TAKEN));
    door.flush(NOW);
    assertThat(logged()).containsExactly(ACKNOWLEDGE, ACKNOWLEDGE);
  }

  @Test
  void onlyKeysThatStillHaveRepliesAreAcknowledged() {
    fullTable();
    around.withoutReply.add(TAKEN);
    Key other = Key.text("other");
    door.ask(alice, 1, keyed("k", TAKEN));
    door.ask(alice, 2, keyed("k", TAKEN, other));
    door.flush(NOW);
    assertThat(logged()).containsExactly(new Request.Acknowledge(Scope.NONE, List.of(other)));
  }

  @Test
  void settledAcknowledgementMayBeLoggedAgain() {
    fullTable();
    door.ask(alice, 1, keyed("k", TAKEN));
    door.flush(NOW);
    door.lost(around.proposed.get(0).batch(), "deposed");
    around.proposed.clear();
    door.ask(alice, 2, keyed("k", TAKEN));
    door.flush(NOW);
    assertThat(logged()).as("its fate is unknown").containsExactly(ACKNOWLEDGE);
    door.ask(alice, 3, keyed("k", Key.text("another")));
    door.shut("elsewhere");
    door.open(TAG);
    fullTable();
    around.proposed.clear();
    door.ask(alice, 4, keyed("k", Key.text("another")));
    door.flush(NOW);
    assertThat(logged()).as("it never left").hasSize(1);
  }

  @Test
  void copyRefusedForBytesInFlightLeavesNothing() {
    Door small = openDoor(new DoorLimits(1, 1 << 20, 100, 100, 500));
    small.ask(bob, 1, keyed("a"));
    small.ask(bob, 2, keyed("b"));
    for (int copy = 0; copy < 50; copy++) {
      small.ask(alice, copy, keyed("k", Key.text("1"), Key.text("2"), Key.text("3")));
    }
    assertThat(alice.heard)
        .hasSize(50)
        .allSatisfy(heard -> assertThat(heard.answer()).isEqualTo(refused("bytes in flight")));
    small.flush(NOW);
    assertThat(logged()).hasSize(2);
    assertThat(around.lookedUp).isZero();
  }

  @Test
  void additionsTakeRoomInFlightAndGiveItBack() {
    Door small = openDoor(new DoorLimits(1, 1 << 20, 100, 100, 700));
    around.roomNow = FULL;
    small.room("alice", FULL);
    for (int copy = 0; copy < 50; copy++) {
      small.ask(alice, copy, keyed("k", Key.text("t" + copy)));
    }
    small.flush(NOW);
    assertThat(logged()).as("two of them fill the room").hasSize(2);
    small.ask(bob, 1, keyed("b", TAKEN));
    assertThat(bob.heard).containsExactly(new Heard(1, refused("bytes in flight")));
    settleAll(small);
    around.roomNow = Door.Room.AMPLE;
    for (int i = 2; i < 7; i++) {
      small.ask(bob, i, keyed("b"));
    }
    assertThat(bob.heard).hasSize(1);
    small.ask(bob, 7, keyed("b"));
    assertThat(bob.heard).as("a request and four copies of 128 bytes fit into 700").hasSize(2);
  }

  @Test
  void partOfManyAcknowledgementsFitsIntoASmallRoom() {
    Door small = openDoor(new DoorLimits(1, 1 << 20, 100, 100, 2_000));
    around.roomNow = FULL;
    small.room("alice", FULL);
    Key[] taken = new Key[60];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = Key.of(Key.Kind.UUID, 1, i);
    }
    small.ask(alice, 1, keyed("k", taken));
    small.flush(NOW);
    Request.Acknowledge first = (Request.Acknowledge) logged().get(0);
    assertThat(first.acknowledged()).hasSizeBetween(5, 15);
    settleAll(small);
    around.withoutReply.addAll(first.acknowledged());
    small.ask(alice, 2, keyed("k", taken));
    small.flush(NOW);
    Request.Acknowledge second = (Request.Acknowledge) logged().get(0);
    assertThat(second.acknowledged())
        .isNotEmpty()
        .doesNotContainAnyElementsOf(first.acknowledged());
  }

  @Test
  void additionsCountAmongWhatTheirConnectionHasInFlight() {
    Door small = openDoor(new DoorLimits(1, 1 << 20, 100, 2, 1 << 20));
    around.roomNow = FULL;
    small.room("alice", FULL);
    small.ask(alice, 1, keyed("k", Key.text("1")));
    small.ask(alice, 2, keyed("k", Key.text("2")));
    small.ask(alice, 3, keyed("k", Key.text("3")));
    small.flush(NOW);
    assertThat(logged()).hasSize(2);
    assertThat(alice.heard.get(2).answer())
        .isEqualTo(refused("requests in flight on a connection"));
    settleAll(small);
    small.ask(alice, 4, keyed("k", Key.text("3")));
    small.flush(NOW);
    assertThat(logged()).hasSize(1);
  }

  @Test
  void copyThatTakesTheLastPlaceOfItsConnectionAddsNothing() {
    Door small = openDoor(new DoorLimits(1, 1 << 20, 100, 2, 1 << 20));
    small.ask(alice, 1, keyed("k"));
    small.ask(alice, 2, keyed("k", TAKEN));
    small.flush(NOW);
    assertThat(logged()).hasSize(1);
  }

  @Test
  void watermarkOfARequestWithoutTableRoomIsLogged() {
    fullTable();
    around.watermark = 4;
    door.ask(alice, 1, inSession(9, 4));
    door.flush(NOW);
    assertThat(logged()).as("the session's watermark is there already").isEmpty();
    for (int copy = 2; copy < 50; copy++) {
      door.ask(alice, copy, inSession(9, 7));
      door.ask(alice, copy, inSession(9, 6));
      door.flush(NOW);
    }
    assertThat(logged()).containsExactly(new Request.KeepAlive(ADDRESS, 7));
    door.ask(alice, 50, inSession(10, 8));
    door.flush(NOW);
    assertThat(logged())
        .containsExactly(new Request.KeepAlive(ADDRESS, 7), new Request.KeepAlive(ADDRESS, 8));
    settleAll(door);
    around.watermark = 8;
    door.ask(alice, 51, inSession(10, 9));
    door.flush(NOW);
    assertThat(logged()).containsExactly(new Request.KeepAlive(ADDRESS, 9));
  }

  @Test
  void watermarkThatPassesItsOwnRequestIsNotLogged() {
    fullTable();
    door.ask(alice, 1, inSession(9, 10));
    door.flush(NOW);
    assertThat(logged()).isEmpty();
  }

  @Test
  void watermarkOfARequestWithoutRoomInFlightIsNotLogged() {
    Door small = openDoor(new DoorLimits(1, 1 << 20, 100, 100, 200));
    small.ask(bob, 1, keyed("a"));
    small.ask(alice, 1, inSession(9, 7));
    small.flush(NOW);
    assertThat(alice.only()).isEqualTo(refused("bytes in flight"));
    assertThat(logged()).hasSize(1);
  }

  @Test
  void nobodyIsAnsweredForWhatTheDoorAdded() {
    fullTable();
    door.ask(alice, 1, keyed("k", TAKEN));
    door.flush(NOW);
    settleAll(door);
    assertThat(alice.heard).containsExactly(new Heard(1, refused("table bytes")));
    around.roomNow = Door.Room.AMPLE;
    door.ask(alice, 2, keyed("k"));
    door.flush(NOW);
    door.decided(
        around.proposed.get(0).batch(),
        List.of(new Decision.Replied(Reply.ok("done"), false, 5, NOW)));
    assertThat(alice.heard).hasSize(2);
  }
}
