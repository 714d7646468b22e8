package io.onceward.testkit.audit;

import static io.onceward.testkit.audit.Story.ALICE;
import static io.onceward.testkit.audit.Story.SCOPE;
import static io.onceward.testkit.audit.Story.address;
import static io.onceward.testkit.audit.Story.ask;
import static io.onceward.testkit.audit.Story.breaks;
import static io.onceward.testkit.audit.Story.keyed;
import static io.onceward.testkit.audit.Story.open;
import static io.onceward.testkit.audit.Story.opened;
import static io.onceward.testkit.audit.Story.refused;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.client.session.SessionActions.End;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.ClientEvents.KeySubmitted;
import io.onceward.testkit.audit.ClientEvents.KeyTaken;
import io.onceward.testkit.audit.ClientEvents.KeyTells;
import io.onceward.testkit.audit.ClientEvents.Opened;
import io.onceward.testkit.audit.ClientEvents.Over;
import io.onceward.testkit.audit.ClientEvents.Read;
import io.onceward.testkit.audit.ClientEvents.Recovered;
import io.onceward.testkit.audit.ClientEvents.Sends;
import io.onceward.testkit.audit.ClientEvents.Started;
import io.onceward.testkit.audit.ClientEvents.Submitted;
import io.onceward.testkit.audit.ClientEvents.Taken;
import io.onceward.testkit.audit.ClientEvents.Tells;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ClientInvariantsTest {
  private static final String HOME = "home";
  private static final int PROCESS = 100;
  private static final Key KEY = Key.dated(1_000_000_000, 7);
  private static final Key OTHER_KEY = Key.dated(1_000_000_000, 8);
  private static final End LOST = new End.Lost(new Decision.Refused(Refusal.NO_SESSION));
  private static final End SUPERSEDED = new End.Lost(new Decision.Refused(Refusal.SUPERSEDED));

  private static Story story(Function<Ledger, Invariant> invariant) {
    return new Story(invariant).sessionIsOpen(ClientKind.DURABLE);
  }

  private static void submits(Story story, long sequence, String tag, long wish) {
    story.auditor.submitted(new Submitted(HOME, PROCESS, sequence, tag, wish));
  }

  private static void sends(Story story, Request request) {
    story.auditor.sends(new Sends(HOME, PROCESS, request));
  }

  private static void tells(Story story, long sequence, long wish, Decision decision) {
    story.auditor.tells(new Tells(HOME, PROCESS, address(), sequence, wish, decision));
  }

  private static void ends(Story story, End end, Long... unknown) {
    story.auditor.over(new Over(HOME, PROCESS, address(), end, List.of(unknown)));
  }

  private static void recovers(Story story, Recovered.Entry... entries) {
    story.auditor.recovered(new Recovered(HOME, PROCESS + 1, List.of(entries)));
  }

  private static Recovered.Entry undecided(String tag, long sequence, long wish) {
    return new Recovered.Entry(tag, wish, sequence, true);
  }

  // ClientTellsTheTruth

  @Test
  void aReplyThatIsNotInTheLogIsNoticed() {
    Story story = story(ClientTellsTheTruth::new);
    submits(story, 1, "a", 71);
    Decision.Replied invented = story.first(71);
    breaks(() -> tells(story, 1, 71, invented), "told a reply that is not in the log");
  }

  @Test
  void aReplyOfAnotherSequenceIsNoticed() {
    Story story = story(ClientTellsTheTruth::new);
    Decision.Replied first = story.first(71);
    story.executed(ask(1, 1, 71)).executed(ask(2, 1, 72));
    submits(story, 2, "b", 72);
    breaks(() -> tells(story, 2, 72, first), "told a reply that is not in the log");
  }

  @Test
  void neverIsNotTrueOfWhatExecuted() {
    Story story = story(ClientTellsTheTruth::new).executed(ask(1, 1, 71));
    submits(story, 1, "a", 71);
    breaks(() -> tells(story, 1, 71, refused(Refusal.ABANDONED)), "told never, but it executed");
  }

  @Test
  void anExecutionAfterNeverIsNoticed() {
    Story story = story(ClientTellsTheTruth::new);
    submits(story, 1, "a", 71);
    tells(story, 1, 71, refused(Refusal.ABANDONED));
    breaks(() -> story.executed(ask(1, 1, 71)), "executed after its application was told never");
  }

  @Test
  void beingToldTwiceIsNoticed() {
    Story story = story(ClientTellsTheTruth::new);
    submits(story, 1, "a", 71);
    tells(story, 1, 71, refused(Refusal.ABANDONED));
    breaks(() -> tells(story, 1, 71, refused(Refusal.ABANDONED)), "told twice");
  }

  @Test
  void aSessionThatEndsInSilenceIsNoticed() {
    Story story = story(ClientTellsTheTruth::new);
    submits(story, 1, "a", 71);
    submits(story, 2, "b", 72);
    breaks(() -> ends(story, LOST, 1L), "a session ended in silence");
    breaks(() -> ends(story, new End.Closed(), 1L, 2L), "a session ended in silence");
    ends(story, LOST, 1L, 2L);
  }

  @Test
  void aKeyToldOtherwiseThanTheLogIsNoticed() {
    Story story = story(ClientTellsTheTruth::new);
    Decision.Replied other = story.first(71);
    story.executed(keyed(KEY, 71)).executed(keyed(OTHER_KEY, 72));
    breaks(
        () -> story.auditor.keyTells(new KeyTells(HOME, ALICE, SCOPE, OTHER_KEY, 72, other)),
        "told a reply that is not in the log");
    breaks(
        () ->
            story.auditor.keyTells(
                new KeyTells(HOME, ALICE, SCOPE, KEY, 71, new Decision.Abandoned(true))),
        "told never, but it executed");
  }

  @Test
  void replyOfAnEarlierLifeOfAKeyMayBeTold() {
    Story story = story(ClientTellsTheTruth::new);
    Key undated = Key.text("undated");
    Decision.Replied first = story.first(71);
    story.executed(keyed(undated, 71)).later(1_000_000);
    story.decided(new Request.Forget(story.nowMillis() - 1_000), new Decision.Forgot(1));
    story.decided(new Request.AbandonKey(SCOPE, undated), new Decision.Abandoned(false));
    story.auditor.keyTells(new KeyTells(HOME, ALICE, SCOPE, undated, 71, first));
    Decision.Replied other = story.replay(71, 2, story.nowMillis());
    breaks(
        () -> story.auditor.keyTells(new KeyTells(HOME, ALICE, SCOPE, undated, 71, other)),
        "told a reply that is not in the log");
  }

  // EveryCopyAsksTheSame

  @Test
  void aRetryUnderAFreshIdIsNoticed() {
    Story story = story(ledger -> new EveryCopyAsksTheSame());
    submits(story, 1, "a", 71);
    story.auditor.keySubmitted(new KeySubmitted(HOME, SCOPE, KEY, 72));
    sends(story, ask(1, 1, 71));
    sends(story, keyed(KEY, 72));
    breaks(() -> sends(story, ask(2, 1, 71)), "an id that was given to no request");
    breaks(() -> sends(story, keyed(OTHER_KEY, 72)), "an id that was given to no request");
  }

  @Test
  void aRetryWithAnotherPayloadIsNoticed() {
    Story story = story(ledger -> new EveryCopyAsksTheSame());
    submits(story, 1, "a", 71);
    sends(story, ask(1, 1, 71));
    breaks(() -> sends(story, ask(1, 1, 72)), "a copy that asks something else");
  }

  @Test
  void whatIsSentAfterTheEndIsNoticed() {
    Story story = story(ledger -> new EveryCopyAsksTheSame());
    submits(story, 1, "a", 71);
    ends(story, LOST, 1L);
    breaks(() -> sends(story, ask(1, 1, 71)), "sent after the end");
  }

  // OnlyWhatWasToldIsAcknowledged

  @Test
  void aWatermarkThatPassesWhatWasNotToldIsNoticed() {
    Story story = story(ledger -> new OnlyWhatWasToldIsAcknowledged());
    submits(story, 1, "a", 71);
    submits(story, 2, "b", 72);
    sends(story, ask(2, 1, 72));
    breaks(() -> sends(story, ask(2, 2, 72)), "the watermark passes what was not told");
    tells(story, 1, 71, refused(Refusal.ABANDONED));
    sends(story, ask(2, 2, 72));
  }

  @Test
  void anAcknowledgementOfWhatWasNotTakenIsNoticed() {
    Story story = story(ledger -> new OnlyWhatWasToldIsAcknowledged());
    story.auditor.keyTaken(new KeyTaken(HOME, SCOPE, KEY));
    sends(story, new Request.Acknowledge(SCOPE, List.of(KEY)));
    breaks(
        () -> sends(story, new Request.Acknowledge(SCOPE, List.of(OTHER_KEY))),
        "acknowledges what was not taken");
  }

  // JournalLosesNothing

  @Test
  void whatExecutedAndIsNotInTheJournalIsNoticed() {
    Story story = story(ledger -> new JournalLosesNothing());
    submits(story, 1, "a", 71);
    story.executed(ask(1, 1, 71));
    breaks(() -> recovers(story), "it executed and the journal does not know it");
  }

  @Test
  void whatWasNeverSentOrWasTakenNeedNotBeInTheJournal() {
    Story story = story(ledger -> new JournalLosesNothing());
    submits(story, 1, "a", 71);
    submits(story, 2, "b", 72);
    story.executed(ask(1, 1, 71));
    story.auditor.taken(new Taken(HOME, "a"));
    recovers(story);
  }

  @Test
  void whatIsHandedBackTwiceIsNoticed() {
    Story story = story(ledger -> new JournalLosesNothing());
    submits(story, 1, "a", 71);
    breaks(
        () -> recovers(story, undecided("a", 1, 71), undecided("a", 2, 71)), "handed back twice");
    breaks(() -> recovers(story, undecided("c", 1, 71)), "handed back what nobody handed in");
  }

  @Test
  void aReplyThatTheClientItselfAcknowledgedIsMissed() {
    Story story = story(ledger -> new JournalLosesNothing());
    submits(story, 1, "a", 71);
    sends(story, ask(1, 1, 71));
    tells(story, 1, 71, refused(Refusal.ACKNOWLEDGED));
    sends(story, ask(2, 2, 72));
    breaks(
        () -> tells(story, 1, 71, refused(Refusal.ACKNOWLEDGED)),
        "the client's watermark passed a reply that its application never had");
  }

  @Test
  void whatWasAcknowledgedToAnotherClusterSaysNothingAboutThisOne() {
    Story story = story(ledger -> new JournalLosesNothing());
    Request.Address elsewhere =
        new Request.Address(
            address().clusterTag() + 1, address().session(), address().incarnation());
    sends(story, new Request.KeepAlive(elsewhere, 9));
    submits(story, 1, "a", 71);
    tells(story, 1, 71, refused(Refusal.ACKNOWLEDGED));
  }

  @Test
  void onlyDurableNamesGoOnCountingWhenTheyAreOpenedAgain() {
    Request earlier =
        new Request.KeepAlive(
            new Request.Address(
                address().clusterTag(), address().session(), address().incarnation() - 1),
            9);
    Story auto = story(ledger -> new JournalLosesNothing());
    auto.auditor.started(new Started(HOME, PROCESS, ClientKind.AUTO, 1, 1));
    sends(auto, earlier);
    tells(auto, 1, 71, refused(Refusal.ACKNOWLEDGED));

    Story named = story(ledger -> new JournalLosesNothing());
    named.auditor.started(new Started(HOME, PROCESS, ClientKind.DURABLE, 1, 1));
    sends(named, earlier);
    breaks(
        () -> tells(named, 1, 71, refused(Refusal.ACKNOWLEDGED)),
        "the client's watermark passed a reply that its application never had");
  }

  // OpensOnPurpose

  @Test
  void anOpeningThatNobodyWantedIsNoticed() {
    Story story = story(OpensOnPurpose::new);
    story.auditor.started(new Started(HOME, PROCESS, ClientKind.DURABLE, 1, 1));
    sends(story, open(ClientKind.DURABLE, 1, 0));
    breaks(() -> sends(story, open(ClientKind.DURABLE, 2, 0)), "an opening that nobody wanted");
  }

  @Test
  void anOpeningThatFollowsNobodyIsNoticed() {
    Story story = story(OpensOnPurpose::new);
    story.auditor.started(new Started(HOME, PROCESS, ClientKind.AUTO, 1, 1));
    story.auditor.read(new Read(HOME, PROCESS, 7, 0));
    Request.Open follows = new Request.Open(ClientKind.AUTO, "node", 1, 1, 0, 7, false, true, 8);
    Request.Open alone = new Request.Open(ClientKind.AUTO, "node", 1, 1, 0, 0, false, true, 8);
    sends(story, follows);
    breaks(() -> sends(story, alone), "an opening that follows nobody");
  }

  @Test
  void aClientThatSupersedesItselfIsNoticed() {
    Story story = story(OpensOnPurpose::new);
    story.auditor.started(new Started(HOME, PROCESS, ClientKind.DURABLE, 1, 1));
    story.auditor.opened(new Opened(HOME, PROCESS, address()));
    story.auditor.started(new Started(HOME, PROCESS, ClientKind.DURABLE, 2, 2));
    long own = 9L << 16;
    story.decided(open(ClientKind.DURABLE, 2, address().incarnation()), opened(own));
    breaks(() -> ends(story, SUPERSEDED), "superseded by nobody else");
    long rival = 10L << 16;
    story.decided(open(ClientKind.DURABLE, 3, own), opened(rival));
    ends(story, SUPERSEDED);
  }
}
