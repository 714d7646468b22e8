package io.onceward.testkit.audit;

import static io.onceward.testkit.audit.Story.ALICE;
import static io.onceward.testkit.audit.Story.ask;
import static io.onceward.testkit.audit.Story.breaks;
import static io.onceward.testkit.audit.Story.keyed;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.server.DoorLimits;
import io.onceward.testkit.audit.DoorEvents.Arrived;
import io.onceward.testkit.audit.DoorEvents.Built;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.DoorEvents.Looked;
import io.onceward.testkit.audit.DoorEvents.Proposed;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.testkit.audit.DoorEvents.Settled;
import io.onceward.testkit.audit.Events.Healed;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class DoorInvariantsTest {
  private static final Key KEY = Key.dated(1_000_000_000, 7);
  private static final DoorLimits TIGHT = new DoorLimits(1, 1_000, 2, 1, 1_000);
  private static final DoorLimits FEW_BYTES = new DoorLimits(9, 1_000, 99, 99, 600);
  private static final Decision.Refused NO_ROOM =
      new Decision.Refused(Refusal.OVERLOADED, "table bytes");
  private static final Decision.Refused TOO_LARGE =
      new Decision.Refused(Refusal.TOO_LARGE, "command");

  private final Object visitor = new Object();

  private static Question.Logged logged(Request request) {
    return new Question.Logged(Bytes.of(RequestCodec.encode(request)));
  }

  private void arrives(Story story, long visit, Request request) {
    arrivesAt(story, visit, request, 0);
  }

  private void arrivesAt(Story story, long visit, Request request, long millis) {
    arrives(story, visit, request, millis, Long.MAX_VALUE);
  }

  private void arrives(Story story, long visit, Request request, long millis, long bytesLeft) {
    story.auditor.arrived(
        new Arrived(1, visit, visitor, ALICE, logged(request), millis, bytesLeft, 100));
  }

  private static Object proposes(Story story, Request... requests) {
    List<LogEntry.Proposal> proposals =
        Arrays.stream(requests).map(request -> new LogEntry.Proposal(ALICE, request)).toList();
    story.auditor.proposed(new Proposed(1, 1, 0, new LogEntry(0, 1, proposals), proposals));
    return proposals;
  }

  /** The door itself refuses, on a node with this many bytes left for replies of at most 100. */
  private static void refuses(
      Story story, Request request, Decision.Refused refused, boolean mayRefuse, long bytesLeft) {
    story.auditor.returned(
        new Returned(
            1,
            1,
            ALICE,
            logged(request),
            new Answer.Decided(refused, 0),
            false,
            mayRefuse,
            story.position(),
            bytesLeft,
            100,
            1_000));
  }

  private static Story story(Function<Ledger, Invariant> invariant) {
    Story story = new Story(invariant).sessionIsOpen(ClientKind.REGISTERED);
    story.auditor.built(new Built(1, TIGHT));
    return story;
  }

  // TheDoorRefusesWithReason

  @Test
  void aRefusalByALeaderThatIsBehindIsNoticed() {
    Story story = story(TheDoorRefusesWithReason::new);
    arrives(story, 1, ask(1, 1, 71));
    breaks(() -> refuses(story, ask(1, 1, 71), NO_ROOM, false, 0), "refused by who may not know");
  }

  @Test
  void aRefusalForRoomThatThereWasIsNoticed() {
    Story story = story(TheDoorRefusesWithReason::new);
    arrives(story, 1, ask(1, 1, 71));
    arrives(story, 2, ask(2, 1, 72));
    refuses(story, ask(2, 1, 72), NO_ROOM, true, 199);
    breaks(() -> refuses(story, ask(1, 1, 71), NO_ROOM, true, 100), "there was room");
  }

  @Test
  void aRefusalOfWhatIsRememberedIsNoticed() {
    Story story = story(TheDoorRefusesWithReason::new);
    story.executed(ask(1, 1, 71)).executed(keyed(KEY, 72));
    breaks(() -> refuses(story, ask(1, 1, 71), NO_ROOM, true, 0), "refused what is remembered");
    breaks(() -> refuses(story, keyed(KEY, 72), NO_ROOM, true, 0), "refused what is remembered");
  }

  @Test
  void aRefusalAsTooLargeOfWhatIsNotIsNoticed() {
    Story story = story(TheDoorRefusesWithReason::new);
    breaks(() -> refuses(story, ask(1, 1, 71), TOO_LARGE, true, 0), "small enough");
  }

  // AFullDoorLogsNothingNew

  /** The log refuses, on a node with this many bytes left for replies of at most 100. */
  private static void isRefusedByTheLog(Story story, long visit, Request request, long bytesLeft) {
    story.auditor.settled(new Settled(1, new Object()));
    story.auditor.returned(
        new Returned(
            1,
            visit,
            ALICE,
            logged(request),
            new Answer.Decided(NO_ROOM, 0),
            true,
            true,
            story.position(),
            bytesLeft,
            100,
            1_000));
  }

  private static Request.Keyed undated(int number) {
    return keyed(Key.text("order " + number), number);
  }

  @Test
  void newKeyInTheLogWithoutRoomIsNoticed() {
    Story story = story(AFullDoorLogsNothingNew::new);
    arrives(story, 1, undated(1), 0, 99);
    isRefusedByTheLog(story, 1, undated(1), 99);
    arrives(story, 2, undated(2), 0, 99);
    breaks(() -> isRefusedByTheLog(story, 2, undated(2), 99), "logged although there was no room");
  }

  @Test
  void doorThatCouldNotKnowMayLogWithoutRoom() {
    Story story = story(AFullDoorLogsNothingNew::new);
    // Nothing of this principal was applied; a copy is under way; there was room when it came.
    arrives(story, 1, undated(1), 0, 99);
    isRefusedByTheLog(story, 1, undated(1), 99);
    arrives(story, 2, undated(2), 0, 100);
    arrives(story, 3, undated(2), 0, 99);
    isRefusedByTheLog(story, 2, undated(2), 99);
    isRefusedByTheLog(story, 3, undated(2), 99);
    // It is known, and was not dropped as far as anybody can tell.
    story.executed(undated(4));
    arrives(story, 4, undated(4), 0, 99);
    isRefusedByTheLog(story, 4, undated(4), 99);
  }

  // StampsAreSteady

  private static void stamps(Story story, long reign, long nowMillis, long stampMillis) {
    LogEntry entry = new LogEntry(0, stampMillis, List.of());
    story.auditor.proposed(new Proposed(1, reign, nowMillis, entry, new Object()));
  }

  @Test
  void stampThatFollowsAJumpIsNoticed() {
    Story story = story(ledger -> new StampsAreSteady());
    stamps(story, 1, 0, 50_000);
    stamps(story, 1, 10_000, 61_000);
    breaks(() -> stamps(story, 1, 20_000, 72_100), "as time did: 11100 ms in 10000 ms");
    breaks(() -> stamps(story, 1, 20_000, 72_099), "as time did: -1 ms in 0 ms");
    stamps(story, 2, 21_000, 1_000_000);
    breaks(() -> stamps(story, 2, 31_000, 1_008_900), "as time did: 8900 ms in 10000 ms");
  }

  // TheDoorKeepsItsLimits

  @Test
  void moreEntriesThanAllowedAreNoticed() {
    Story story = story(ledger -> new TheDoorKeepsItsLimits());
    Object batch = proposes(story, ask(1, 1, 71));
    story.auditor.settled(new Settled(1, batch));
    proposes(story, ask(2, 1, 72));
    breaks(() -> proposes(story, ask(3, 1, 73)), "over a limit");
  }

  @Test
  void aLargerEntryThanAllowedIsNoticed() {
    Story story = story(ledger -> new TheDoorKeepsItsLimits());
    breaks(() -> proposes(story, ask(1, 1, 71), ask(2, 1, 72), ask(3, 1, 73)), "over a limit");
  }

  @Test
  void aConnectionWithTooMuchInFlightIsNoticed() {
    Story story = story(ledger -> new TheDoorKeepsItsLimits());
    arrives(story, 1, ask(1, 1, 71));
    arrives(story, 2, ask(2, 1, 72));
    breaks(() -> arrives(story, 3, ask(3, 1, 73)), "2 wait on a connection");
  }

  private static Story storyOfBytes() {
    Story story = story(ledger -> new TheDoorKeepsItsLimits());
    story.auditor.built(new Built(1, FEW_BYTES));
    return story;
  }

  @Test
  void moreBytesInFlightThanAllowedAreNoticed() {
    Story story = storyOfBytes();
    for (int i = 1; i <= 4; i++) {
      arrives(story, i, keyed(Key.text("k" + i), i));
    }
    proposes(story, keyed(Key.text("k1"), 1), keyed(Key.text("k2"), 2), keyed(Key.text("k3"), 3));
    breaks(() -> proposes(story, keyed(Key.text("k4"), 4)), "too many bytes in flight");
  }

  @Test
  void bytesThatWereAnsweredAreNotInFlight() {
    Story story = storyOfBytes();
    for (int i = 1; i <= 20; i++) {
      Request.Keyed request = keyed(Key.text("k" + i), i);
      arrives(story, i, request);
      Object batch = proposes(story, request);
      story.auditor.settled(new Settled(1, batch));
      story.auditor.returned(
          new Returned(
              1, i, ALICE, logged(request), new Answer.Unknown(""), false, true, 1, 1, 1, 1));
    }
  }

  private void asks(Story story, long visit, int bytes) {
    Question query = new Question.Query(Bytes.of(new byte[bytes]));
    story.auditor.arrived(new Arrived(1, visit, visitor, ALICE, query, 0, Long.MAX_VALUE, 100));
  }

  @Test
  void moreBytesOfQuestionsThanAllowedAreNoticed() {
    Story story = storyOfBytes();
    asks(story, 1, 2_000);
    asks(story, 2, 1);
    breaks(() -> asks(story, 3, 1), "too many bytes of questions in flight");
  }

  @Test
  void bytesOfQuestionsDoNotCountAsRequests() {
    Story story = storyOfBytes();
    for (int i = 1; i <= 7; i++) {
      asks(story, i, 1);
    }
    arrives(story, 8, keyed(KEY, 1));
    proposes(story, keyed(KEY, 1));
  }

  @Test
  void moreVisitorsThanBytesAllowAreNoticed() {
    Story story = storyOfBytes();
    for (int i = 1; i <= 5; i++) {
      arrives(story, i, keyed(KEY, 1));
    }
    breaks(() -> arrives(story, 6, keyed(KEY, 1)), "too many bytes in flight");
  }

  @Test
  void whatTheDoorAddsAgainAndAgainIsNoticed() {
    Story story = storyOfBytes();
    Request added = new Request.Acknowledge(Story.SCOPE, List.of(KEY));
    Request other = new Request.Acknowledge(Story.SCOPE, List.of(Key.text("other")));
    proposes(story, added);
    proposes(story, other);
    breaks(() -> proposes(story, added), "added the same again");
    Story later = storyOfBytes();
    Object first = proposes(later, added);
    later.auditor.settled(new Settled(1, first));
    proposes(later, added);
  }

  // AnIdleDoorLetsIn

  private static void hasNoBytes(Story story, long visit, Request request) {
    Decision refused = new Decision.Refused(Refusal.OVERLOADED, "bytes in flight");
    story.auditor.returned(
        new Returned(
            1,
            visit,
            ALICE,
            logged(request),
            new Answer.Decided(refused, 0),
            false,
            true,
            story.position(),
            1_000,
            100,
            1_000));
  }

  @Test
  void keepAlivesThatKeepOthersOutAreNoticed() {
    Story story = story(ledger -> new AnIdleDoorLetsIn());
    arrives(story, 1, new Request.KeepAlive(Story.address(), 1));
    arrivesAt(story, 2, ask(1, 1, 71), 10);
    breaks(() -> hasNoBytes(story, 2, ask(1, 1, 71)), "an idle door refused");
  }

  @Test
  void aBusyDoorMayRefuse() {
    Story story = story(ledger -> new AnIdleDoorLetsIn());
    arrives(story, 1, ask(1, 1, 71));
    arrivesAt(story, 2, ask(2, 1, 72), 10);
    hasNoBytes(story, 2, ask(2, 1, 72));
    Object batch = proposes(story, ask(1, 1, 71));
    arrivesAt(story, 3, ask(2, 1, 72), 20);
    hasNoBytes(story, 3, ask(2, 1, 72));
    hasNoBytes(story, 1, ask(1, 1, 71));
    story.auditor.settled(new Settled(1, batch));
    // They came together, and the first may have taken the room.
    arrivesAt(story, 4, ask(3, 1, 73), 30);
    arrivesAt(story, 5, ask(4, 1, 74), 30);
    hasNoBytes(story, 5, ask(4, 1, 74));
    breaks(() -> hasNoBytes(story, 4, ask(3, 1, 73)), "an idle door refused");
  }

  // TimePassesInTheLog

  private static void looks(Story story, long nowMillis, boolean timeMatters, long applied) {
    looks(story, 1, nowMillis, timeMatters, applied);
  }

  private static void looks(
      Story story, long reign, long nowMillis, boolean timeMatters, long applied) {
    story.auditor.looked(new Looked(1, reign, nowMillis, true, timeMatters, applied));
  }

  @Test
  void aLeaderThatLeadsAgainHasAWholeInterval() {
    Story story = story(ledger -> new TimePassesInTheLog());
    looks(story, 1, 0, true, 1);
    looks(story, 1, 11_000, true, 1);
    looks(story, 2, 12_000, true, 2);
    looks(story, 2, 23_000, true, 2);
    breaks(() -> looks(story, 2, 24_000, true, 2), "a leader logs nothing");
  }

  @Test
  void aLeaderThatLogsNothingIsNoticed() {
    Story story = story(ledger -> new TimePassesInTheLog());
    looks(story, 0, true, 1);
    looks(story, 11_000, true, 1);
    breaks(() -> looks(story, 12_000, true, 1), "a leader logs nothing");
    Object batch = proposes(story, new Request.Tick());
    // With an entry outstanding the next one has to wait.
    looks(story, 50_000, true, 1);
    looks(story, 90_000, true, 1);
    story.auditor.settled(new Settled(1, batch));
    looks(story, 91_000, true, 1);
    looks(story, 101_000, true, 1);
    breaks(() -> looks(story, 102_000, true, 1), "a leader logs nothing");
    // Nothing can expire.
    looks(story, 120_000, false, 1);
    looks(story, 130_000, true, 1);
  }

  @Test
  void anIntervalThatIsNotFollowedIsNoticed() {
    Story story = story(ledger -> new TimePassesInTheLog());
    looks(story, 0, true, 1);
    story.set(Parameter.KEEP_ALIVE_MILLIS, 1_000);
    looks(story, 5_000, true, 1);
    looks(story, 6_000, true, story.position());
    looks(story, 8_000, true, story.position());
    breaks(() -> looks(story, 9_000, true, story.position()), "the interval is 1000");
  }

  // FirstComeFirstServed

  @Test
  void overtakingIsNoticed() {
    Story story = story(ledger -> new FirstComeFirstServed());
    arrives(story, 1, ask(1, 1, 71));
    arrives(story, 2, ask(2, 1, 72));
    breaks(() -> proposes(story, ask(2, 1, 72), ask(1, 1, 71)), "a later one came first");
  }

  @Test
  void keepAlivesAndTicksHaveNoPlaceInTheQueue() {
    Story story = story(ledger -> new FirstComeFirstServed());
    Request.KeepAlive keepAlive = new Request.KeepAlive(Story.address(), 1);
    arrives(story, 1, ask(1, 1, 71));
    arrives(story, 2, keepAlive);
    proposes(story, keepAlive, new Request.Tick(), ask(1, 1, 71));
  }

  @Test
  void aRequestThatNobodyAskedIsNoticed() {
    Story story = story(ledger -> new FirstComeFirstServed());
    arrives(story, 1, ask(1, 1, 71));
    breaks(() -> proposes(story, ask(1, 1, 72)), "logged what nobody asked");
  }

  // EveryQuestionIsAnswered

  @Test
  void aQuestionThatNobodyAnswersIsNoticed() {
    Story story = story(ledger -> new EveryQuestionIsAnswered());
    arrives(story, 1, ask(1, 1, 71));
    story.auditor.healed(new Healed(List.of(), 10_000));
    breaks(() -> story.auditor.healed(new Healed(List.of(), 20_000)), "nobody answers");
    story.auditor.gone(new Gone(1));
    story.auditor.healed(new Healed(List.of(), 20_000));
  }

  @Test
  void aSecondAnswerIsNoticed() {
    Story story = story(ledger -> new EveryQuestionIsAnswered());
    arrives(story, 1, ask(1, 1, 71));
    refuses(story, ask(1, 1, 71), NO_ROOM, true, 0);
    breaks(() -> refuses(story, ask(1, 1, 71), NO_ROOM, true, 0), "answered twice");
  }
}
