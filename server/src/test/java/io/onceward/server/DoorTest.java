package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Decision.Refused;
import io.onceward.Decision.Replied;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.server.DoorRig.Heard;
import io.onceward.server.DoorRig.Listener;
import io.onceward.server.DoorRig.Surroundings;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoorTest {
  private static final long TAG = 99;
  private static final long NOW = 1_700_000_000_000L;
  private static final Request.Address ADDRESS = new Request.Address(TAG, 7, 7);

  private final Surroundings around = new Surroundings();
  private final Listener alice = new Listener("alice");
  private final Listener bob = new Listener("bob");
  private final Door door = openDoor(DoorLimits.DEFAULT);

  private Door openDoor(DoorLimits limits) {
    Door made = new Door(around, limits, new Door.Seed(1, 2));
    made.open(TAG);
    return made;
  }

  private static Question logged(Request request) {
    return new Question.Logged(Bytes.of(RequestCodec.encode(request)));
  }

  private static Request inSession(long sequence, String command) {
    return new Request.InSession(
        ADDRESS,
        sequence,
        1,
        Fingerprint.of("", command.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
        Bytes.utf8(command));
  }

  private static Request keyed(String key, String fingerprintOf, Key... acknowledged) {
    return new Request.Keyed(
        Scope.NONE,
        Key.text(key),
        Fingerprint.of(fingerprintOf, new byte[0]),
        List.of(acknowledged),
        Bytes.utf8("x"));
  }

  private List<Request> requestsOf(int proposal) {
    return around.proposed.get(proposal).entry().proposals().stream()
        .map(one -> RequestCodec.decode(one.frame()))
        .toList();
  }

  private static Decision ok(String text) {
    return new Replied(Reply.ok(text), false, 5, NOW);
  }

  private void decide(Door atDoor, int proposal, Decision... decisions) {
    atDoor.decided(around.proposed.get(proposal).batch(), List.of(decisions));
    atDoor.flush(NOW);
  }

  @Test
  void aLoneRequestLeavesAtOnce() {
    door.ask(alice, 1, logged(inSession(1, "a")));
    door.flush(NOW);
    assertThat(requestsOf(0)).containsExactly(inSession(1, "a"));
    assertThat(around.proposed.get(0).entry().stampMillis()).isEqualTo(NOW);
    decide(door, 0, ok("done"));
    assertThat(alice.only()).isEqualTo(new Answer.Decided(ok("done"), TAG));
  }

  @Test
  void aCrowdSharesEntriesInTheOrderOfArrival() {
    for (int i = 1; i <= 2; i++) {
      door.ask(alice, i, logged(inSession(i, "a")));
      door.flush(NOW);
    }
    for (int i = 3; i <= 10; i++) {
      door.ask(alice, i, logged(inSession(i, "a")));
      door.flush(NOW);
    }
    assertThat(around.proposed).as("only two are outstanding").hasSize(2);
    decide(door, 0, ok("1"));
    assertThat(around.proposed).hasSize(3);
    assertThat(requestsOf(2)).hasSize(8);
    assertThat(((Request.InSession) requestsOf(2).get(0)).sequence()).isEqualTo(3);
    assertThat(((Request.InSession) requestsOf(2).get(7)).sequence()).isEqualTo(10);
  }

  @Test
  void anEntryIsCutAtItsLimits() {
    Door small = openDoor(new DoorLimits(1, 1 << 20, 3, 100, 1 << 20));
    for (int i = 1; i <= 7; i++) {
      small.ask(alice, i, logged(inSession(i, "a")));
    }
    small.flush(NOW);
    assertThat(requestsOf(0)).hasSize(3);
    decide(small, 0, ok("1"), ok("2"), ok("3"));
    assertThat(requestsOf(1)).hasSize(3);
  }

  @Test
  void aFrameLargerThanAnEntryGoesAlone() {
    Door small = openDoor(new DoorLimits(9, 50, 100, 100, 1 << 20));
    small.ask(alice, 1, logged(inSession(1, "a")));
    small.ask(alice, 2, logged(inSession(2, "b".repeat(100))));
    small.ask(alice, 3, logged(inSession(3, "c")));
    small.flush(NOW);
    assertThat(around.proposed).hasSize(3);
    assertThat(requestsOf(1)).containsExactly(inSession(2, "b".repeat(100)));
  }

  private static Request opening(long nonce) {
    return new Request.Open(ClientKind.REGISTERED, "", 1, nonce, TAG, 0, false, true, 0);
  }

  @Test
  void equalOpeningsShareOneProposalAndItsSession() {
    door.ask(alice, 1, logged(opening(7)));
    door.flush(NOW);
    door.ask(alice, 2, logged(opening(7)));
    door.flush(NOW);
    assertThat(around.proposed).hasSize(1);
    Decision opened = new Decision.Opened(3, 3, 1, 1, 64, true);
    decide(door, 0, opened);
    assertThat(alice.heard)
        .containsExactly(
            new Heard(1, new Answer.Decided(opened, TAG)),
            new Heard(2, new Answer.Decided(opened, TAG)));
  }

  @Test
  void otherOpeningsAreNoTwins() {
    door.ask(alice, 1, logged(opening(7)));
    door.ask(alice, 2, logged(opening(8)));
    door.ask(bob, 3, logged(opening(7)));
    door.flush(NOW);
    assertThat(requestsOf(0)).containsExactly(opening(7), opening(8), opening(7));
  }

  @Test
  void settingWithoutRoomIsRefusedBeforeItIsLogged() {
    around.obstacleToAdding = "aliases";
    door.ask(alice, 1, logged(new Request.Alias("a", "alice")));
    door.ask(alice, 2, logged(new Request.SetScope(new Scope("s"), 3_600_000, false)));
    door.flush(NOW);
    assertThat(around.proposed).isEmpty();
    Answer refused = new Answer.Decided(new Decision.Refused(Refusal.OVERLOADED, "aliases"), TAG);
    assertThat(alice.heard).containsExactly(new Heard(1, refused), new Heard(2, refused));
    around.obstacleToAdding = "";
    door.ask(alice, 3, logged(new Request.Alias("a", "alice")));
    door.flush(NOW);
    assertThat(requestsOf(0)).containsExactly(new Request.Alias("a", "alice"));
  }

  /** Each retry would be logged and synced else, by all who wait for room (K6). */
  @Test
  void openingIsRefusedUnloggedOnceTheLogFoundNoRoom() {
    Refused full = new Refused(Refusal.OVERLOADED, "sessions per principal");
    around.obstacleToAdding = full.limit();
    door.ask(alice, 1, logged(opening(7)));
    door.flush(NOW);
    decide(door, 0, full);
    door.ask(alice, 2, logged(opening(7)));
    door.ask(alice, 3, logged(new Request.AbandonKey(Scope.NONE, Key.text("a"))));
    door.flush(NOW);
    Answer refused = new Answer.Decided(full, TAG);
    assertThat(alice.heard)
        .containsExactly(new Heard(1, refused), new Heard(2, refused), new Heard(3, refused));
    assertThat(around.proposed).hasSize(1);
    door.ask(bob, 1, logged(opening(8)));
    door.flush(NOW);
    assertThat(requestsOf(1)).as("of another principal").containsExactly(opening(8));
    around.obstacleToAdding = "";
    door.ask(alice, 4, logged(opening(7)));
    decide(door, 1, new Decision.Opened(3, 3, 1, 1, 64, true));
    door.flush(NOW);
    assertThat(requestsOf(2)).containsExactly(opening(7));
  }

  @Test
  void aTwinInFlightWaitsAndHearsTheSameDecisionAsAReplay() {
    door.ask(alice, 1, logged(keyed("k", "f")));
    door.flush(NOW);
    door.ask(alice, 2, logged(keyed("k", "f")));
    door.flush(NOW);
    assertThat(around.proposed).hasSize(1);
    decide(door, 0, ok("once"));
    assertThat(alice.heard)
        .containsExactly(
            new Heard(1, new Answer.Decided(ok("once"), TAG)),
            new Heard(2, new Answer.Decided(new Replied(Reply.ok("once"), true, 5, NOW), TAG)));
    assertThat(door.coalesced()).isEqualTo(1);
  }

  @Test
  void oneWithAnotherFingerprintOrPrincipalOrIncarnationIsNoTwin() {
    door.ask(alice, 1, logged(keyed("k", "f")));
    door.ask(alice, 2, logged(keyed("k", "g")));
    door.ask(bob, 3, logged(keyed("k", "f")));
    Request.Address later = new Request.Address(TAG, 7, 8);
    door.ask(alice, 4, logged(inSession(1, "a")));
    door.ask(
        alice,
        5,
        logged(
            new Request.InSession(
                later, 1, 1, ((Request.InSession) inSession(1, "a")).fingerprint(), Bytes.EMPTY)));
    door.flush(NOW);
    assertThat(requestsOf(0)).hasSize(5);
    assertThat(door.coalesced()).isZero();
  }

  @Test
  void whatACoalescedCopyAcknowledgesIsStillLogged() {
    Key taken = Key.text("taken");
    door.ask(alice, 1, logged(keyed("k", "f")));
    door.ask(alice, 2, logged(keyed("k", "f", taken)));
    door.flush(NOW);
    assertThat(requestsOf(0))
        .containsExactly(keyed("k", "f"), new Request.Acknowledge(Scope.NONE, List.of(taken)));
    decide(door, 0, ok("x"), new Decision.Done());
    assertThat(alice.heard).hasSize(2);
  }

  @Test
  void copiesThatExecuteNothingWaitForOneAnother() {
    Request acknowledge = new Request.Acknowledge(Scope.NONE, List.of(Key.text("taken")));
    door.ask(alice, 1, logged(acknowledge));
    door.flush(NOW);
    door.ask(alice, 2, logged(acknowledge));
    door.ask(bob, 3, logged(acknowledge));
    door.flush(NOW);
    decide(door, 0, new Decision.Done());
    assertThat(alice.heard)
        .extracting(Heard::answer)
        .containsExactly(
            new Answer.Decided(new Decision.Done(), TAG),
            new Answer.Decided(new Decision.Done(), TAG));
    assertThat(bob.heard).isEmpty();
    assertThat(door.coalesced()).isEqualTo(1);
  }

  @Test
  void aSettingIsNeverCoalescedSinceALaterOneMayUndoIt() {
    Request setting = new Request.SetParameter(Parameter.MAX_REPLY_BYTES, 1);
    door.ask(alice, 1, logged(setting));
    door.ask(alice, 2, logged(new Request.SetParameter(Parameter.MAX_REPLY_BYTES, 2)));
    door.ask(alice, 3, logged(setting));
    door.flush(NOW);
    assertThat(requestsOf(0)).hasSize(3);
  }

  @Test
  void aTwinThatWasDecidedOrLostIsLoggedAnew() {
    door.ask(alice, 1, logged(keyed("k", "f")));
    door.flush(NOW);
    decide(door, 0, ok("x"));
    door.ask(alice, 2, logged(keyed("k", "f")));
    door.flush(NOW);
    assertThat(around.proposed).hasSize(2);
    door.lost(around.proposed.get(1).batch(), "deposed");
    door.ask(alice, 3, logged(keyed("k", "f")));
    door.flush(NOW);
    assertThat(around.proposed).hasSize(3);
  }

  @Test
  void whatTheEngineGivesUpOnIsUnknownForEveryCopy() {
    door.ask(alice, 1, logged(keyed("k", "f")));
    door.ask(bob, 2, logged(keyed("k", "f")));
    door.ask(alice, 3, logged(keyed("k", "f")));
    door.flush(NOW);
    door.lost(around.proposed.get(0).batch(), "deposed");
    assertThat(alice.heard)
        .containsExactly(
            new Heard(1, new Answer.Unknown("deposed")),
            new Heard(3, new Answer.Unknown("deposed")));
    assertThat(bob.only()).isEqualTo(new Answer.Unknown("deposed"));
  }

  @Test
  void aShutDoorNamesTheLeaderAndTurnsAwayWhatWasNotLogged() {
    door.ask(alice, 1, logged(keyed("a", "f")));
    door.flush(NOW);
    door.ask(alice, 2, logged(keyed("b", "f")));
    door.ask(alice, 3, new Question.Query(Bytes.EMPTY));
    door.shut("127.0.0.1:7400");
    door.ask(alice, 4, logged(keyed("c", "f")));
    Answer elsewhere = new Answer.NotLeader("127.0.0.1:7400");
    assertThat(alice.heard)
        .as("the logged one still waits for its fate")
        .containsExactly(new Heard(2, elsewhere), new Heard(3, elsewhere), new Heard(4, elsewhere));
    decide(door, 0, ok("late"));
    assertThat(alice.heard).contains(new Heard(1, new Answer.Decided(ok("late"), TAG)));
  }

  @Test
  void keepAlivesTakeNoEntryOfTheirOwn() {
    door.ask(alice, 1, logged(new Request.KeepAlive(ADDRESS, 1)));
    door.flush(NOW);
    assertThat(around.proposed).isEmpty();
    assertThat(door.keepAlivesWait()).isTrue();
    door.ask(alice, 2, logged(new Request.AbandonSequence(ADDRESS, 4)));
    door.flush(NOW);
    assertThat(requestsOf(0))
        .as("a keep-alive that was sent before an abandon is applied before it")
        .containsExactly(
            new Request.KeepAlive(ADDRESS, 1), new Request.AbandonSequence(ADDRESS, 4));
    assertThat(door.keepAlivesWait()).isFalse();
  }

  @Test
  void theTickCarriesTheKeepAlives() {
    door.ask(alice, 1, logged(new Request.KeepAlive(ADDRESS, 1)));
    door.tick();
    door.flush(NOW);
    assertThat(requestsOf(0))
        .containsExactly(new Request.KeepAlive(ADDRESS, 1), new Request.Tick());
    decide(door, 0, new Decision.Done(), new Decision.Done());
    assertThat(alice.only()).isEqualTo(new Answer.Decided(new Decision.Done(), TAG));
  }

  @Test
  void ticksDoNotPileUpWhileTheLogStandsStill() {
    for (int i = 0; i < 10; i++) {
      door.tick();
      door.flush(NOW);
    }
    assertThat(around.proposed).hasSize(2);
    decide(door, 0, new Decision.Done());
    assertThat(requestsOf(2)).containsExactly(new Request.Tick());
    assertThat(around.proposed).hasSize(3);
  }

  @Test
  void withoutRoomOnlyWhatIsRememberedGetsIn() {
    around.roomNow = new Door.Room(1_000, 600, 100);
    door.room("alice", around.roomNow);
    door.ask(alice, 1, logged(keyed("a", "f")));
    door.ask(alice, 2, logged(keyed("b", "f")));
    assertThat(alice.only())
        .as("one reply of 600 fits, a second does not")
        .isEqualTo(new Answer.Decided(new Refused(Refusal.OVERLOADED, "table bytes"), TAG));
    around.remembers = true;
    door.ask(alice, 3, logged(keyed("b", "f")));
    door.ask(alice, 4, logged(new Request.Acknowledge(Scope.NONE, List.of(Key.text("a")))));
    door.flush(NOW);
    assertThat(requestsOf(0)).hasSize(3);
  }

  @Test
  void aFullTableIsLookedAtAgainBeforeAnybodyIsTurnedAway() {
    door.room("alice", new Door.Room(10, 600, 100));
    door.ask(alice, 1, logged(keyed("a", "f")));
    door.flush(NOW);
    assertThat(around.proposed).as("others have made room since").hasSize(1);
  }

  @Test
  void whatARefusedRequestAcknowledgesIsStillLogged() {
    around.roomNow = new Door.Room(10, 600, 100);
    door.room("alice", around.roomNow);
    Key taken = Key.text("taken");
    door.ask(alice, 1, logged(keyed("a", "f", taken)));
    door.flush(NOW);
    assertThat(requestsOf(0)).containsExactly(new Request.Acknowledge(Scope.NONE, List.of(taken)));
  }

  @Test
  void copiesAndReadsCountTowardsTheLimitOfAConnection() {
    Door small = openDoor(new DoorLimits(1, 1 << 20, 100, 2, 1 << 20));
    small.ask(alice, 1, logged(keyed("k", "f")));
    small.ask(alice, 2, logged(keyed("k", "f")));
    small.ask(alice, 3, logged(keyed("k", "f")));
    small.ask(alice, 4, new Question.Query(Bytes.EMPTY));
    assertThat(alice.heard)
        .containsExactly(
            new Heard(3, refused(Refusal.OVERLOADED, "requests in flight on a connection")),
            new Heard(4, new Answer.Unavailable("too many questions in flight on a connection")));
    small.ask(bob, 5, new Question.Query(Bytes.EMPTY));
    small.flush(NOW);
    small.readable(around.confirming.get(0));
    small.ask(bob, 6, new Question.Query(Bytes.EMPTY));
    small.ask(bob, 7, new Question.Query(Bytes.EMPTY));
    assertThat(bob.heard).isEmpty();
  }

  @Test
  void copiesTakeRoomThoughTheyBringNoFrame() {
    Door small = openDoor(new DoorLimits(1, 1 << 20, 100, 100, 360));
    small.ask(alice, 1, logged(keyed("k", "f")));
    small.ask(alice, 2, logged(keyed("k", "f")));
    small.ask(alice, 3, logged(keyed("k", "f")));
    assertThat(alice.heard)
        .containsExactly(new Heard(3, refused(Refusal.OVERLOADED, "bytes in flight")));
    small.flush(NOW);
    decide(small, 0, ok("x"));
    small.ask(alice, 4, logged(keyed("k", "f")));
    assertThat(alice.heard).hasSize(3);
  }

  @Test
  void aFewLongAnswersAreATurnToo() {
    around.muchAfter = 3;
    for (int ticket = 1; ticket <= 5; ticket++) {
      door.ask(alice, ticket, new Question.Query(Bytes.EMPTY));
    }
    door.flush(NOW);
    Door.Reads crowd = around.confirming.get(0);
    assertThat(door.readable(crowd)).isTrue();
    assertThat(around.served).hasSize(3);
    assertThat(door.readable(crowd)).isFalse();
    assertThat(around.served).hasSize(5);
  }

  @Test
  void aCrowdOfReadsLetsOthersTakeTheirTurn() {
    for (int ticket = 1; ticket <= 100; ticket++) {
      door.ask(alice, ticket, new Question.Query(Bytes.EMPTY));
    }
    door.flush(NOW);
    Door.Reads crowd = around.confirming.get(0);
    assertThat(door.readable(crowd)).isTrue();
    assertThat(around.served).hasSize(64);
    door.ask(bob, 1, logged(inSession(1, "a")));
    door.ask(bob, 2, new Question.CountOlderThan(1));
    door.flush(NOW);
    assertThat(around.proposed).hasSize(1);
    assertThat(door.readable(around.confirming.get(1))).isFalse();
    assertThat(around.served).contains(new Question.CountOlderThan(1));
    assertThat(door.readable(crowd)).isFalse();
    assertThat(around.served).hasSize(101);
  }

  @Test
  void aDecidedRequestGivesItsReservationBack() {
    door.room("alice", new Door.Room(1_000, 600, 100));
    door.ask(alice, 1, logged(keyed("a", "f")));
    door.flush(NOW);
    decide(door, 0, ok("x"));
    door.ask(alice, 2, logged(keyed("b", "f")));
    door.flush(NOW);
    assertThat(around.proposed).hasSize(2);
  }

  @Test
  void limitsAreNamed() {
    Door small = openDoor(new DoorLimits(1, 1 << 20, 100, 2, 400));
    around.roomNow = new Door.Room(Long.MAX_VALUE, 0, 60);
    small.room("alice", around.roomNow);
    small.ask(alice, 1, logged(inSession(1, "x".repeat(61))));
    small.ask(alice, 2, logged(inSession(1, "x".repeat(60))));
    small.ask(alice, 3, logged(inSession(2, "x".repeat(60))));
    small.ask(alice, 4, logged(inSession(3, "x")));
    small.ask(alice, 5, logged(inSession(4, "x")));
    assertThat(alice.heard)
        .containsExactly(
            new Heard(1, refused(Refusal.TOO_LARGE, "command")),
            new Heard(3, refused(Refusal.OVERLOADED, "bytes in flight")),
            new Heard(5, refused(Refusal.OVERLOADED, "requests in flight on a connection")));
  }

  private static Answer refused(Refusal refusal, String limit) {
    return new Answer.Decided(new Refused(refusal, limit), TAG);
  }

  @Test
  void garbageNeverReachesTheLog() {
    door.ask(alice, 1, new Question.Logged(Bytes.of(new byte[] {0x11, 0x7f, 1})));
    door.ask(alice, 2, new Question.Logged(Bytes.of(new byte[] {0x7e, 0})));
    door.ask(alice, 3, logged(new Request.Tick()));
    door.ask(alice, 4, logged(new Request.FormCluster(new ClusterId(1, 2))));
    door.flush(NOW);
    assertThat(around.proposed).isEmpty();
    assertThat(alice.heard.get(0).answer()).isEqualTo(refused(Refusal.MALFORMED, ""));
    assertThat(alice.heard.subList(1, 4))
        .allSatisfy(heard -> assertThat(heard.answer()).isInstanceOf(Answer.Rejected.class));
  }

  @Test
  void readsShareOneConfirmation() {
    Question first = new Question.Query(Bytes.utf8("1"));
    Question second = new Question.Query(Bytes.utf8("2"));
    Question third = new Question.Query(Bytes.utf8("3"));
    door.ask(alice, 1, first);
    door.flush(NOW);
    door.ask(alice, 2, second);
    door.ask(alice, 3, third);
    door.flush(NOW);
    assertThat(around.confirming).hasSize(1);
    door.readable(around.confirming.get(0));
    assertThat(around.served).as("only what was asked before it").containsExactly(first);
    door.flush(NOW);
    door.readable(around.confirming.get(1));
    assertThat(around.served).containsExactly(first, second, third);
  }

  @Test
  void aReadThatCannotBeConfirmedIsNotServed() {
    door.ask(alice, 1, new Question.Query(Bytes.EMPTY));
    door.flush(NOW);
    door.unreadable(around.confirming.get(0), "no majority");
    assertThat(alice.only()).isEqualTo(new Answer.Unavailable("no majority"));
    assertThat(around.served).isEmpty();
  }
}
