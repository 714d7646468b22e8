package io.onceward.client.session;

import static io.onceward.client.session.Conversation.durable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.client.session.Conversation.Copy;
import io.onceward.client.session.SessionActions.End;
import io.onceward.replica.Request;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rule C5 and the executions about journals, against a real replica. */
class JournaledSessionTest {
  private final Cluster cluster = new Cluster();
  private long nonce;

  /** A process that opens "billing" with this journal and gets through. */
  private Conversation opened(List<JournalRecord> journal) {
    Conversation talk = started(journal);
    deliver(talk);
    assertThat(talk.session.isOpen()).isTrue();
    return talk;
  }

  private Conversation started(List<JournalRecord> journal) {
    Conversation talk = new Conversation(durable("billing", ++nonce), journal);
    talk.session.start(0);
    return talk;
  }

  /** Syncs, delivers and answers until nothing more is sent. */
  private void deliver(Conversation talk) {
    talk.syncDone();
    while (!talk.sent.isEmpty()) {
      for (Copy copy : talk.takeSent()) {
        talk.answer(copy, copy.request() == null ? cluster.read(copy) : cluster.apply(copy));
      }
      talk.syncDone();
    }
  }

  @Test
  void theOpeningIsOnDiskBeforeItIsSent_C5() {
    Conversation talk = started(List.of());
    talk.answer(talk.last(), cluster.read(talk.takeSent().get(0)));
    assertThat(talk.records).hasSize(1);
    assertThat(talk.syncs).isEqualTo(1);
    talk.session.rerouted(0);
    talk.pass(10_000);
    assertThat(talk.sent).isEmpty();
    talk.syncDone();
    assertThat(talk.last().request()).isInstanceOf(Request.Open.class);
  }

  @Test
  void requestThatTheJournalDoesNotTakeLeavesNothing_C5() {
    Conversation talk = opened(List.of());
    talk.appendFails = true;
    assertThatThrownBy(() -> talk.submitTagged("first")).isInstanceOf(OutOfMemoryError.class);
    assertThat(talk.session.kept().entry("first")).isNull();
    SessionRequest again = talk.submitTagged("first");
    SessionRequest other = talk.submitTagged("second");
    deliver(talk);
    assertThat(talk.decided).containsOnlyKeys(again, other);
    assertThat(again.sequence()).as("nothing was used up").isEqualTo(1);
  }

  @Test
  void decisionThatTheJournalDoesNotTakeIsHeardAgain_C5() {
    Conversation talk = opened(List.of());
    SessionRequest request = talk.submitTagged("first");
    talk.syncDone();
    Copy copy = talk.last();
    talk.takeSent();
    talk.appendFails = true;
    Decision decision = Conversation.replied(false);
    assertThatThrownBy(() -> talk.answer(copy, decision)).isInstanceOf(OutOfMemoryError.class);
    assertThat(talk.decided).as("told before it is in the journal").isEmpty();
    talk.pass(3_000);
    assertThat(talk.last().copy()).isEqualTo(2);
    talk.answer(talk.last(), Conversation.replied(true));
    talk.syncDone();
    assertThat(talk.decided).containsOnlyKeys(request);
    assertThat(talk.session.watermark()).isEqualTo(2);
  }

  @Test
  void decisionThatCouldNotBeToldIsToldWithTheNextCopy_C6() {
    Conversation talk = opened(List.of());
    SessionRequest request = talk.submitTagged("first");
    talk.syncDone();
    Copy copy = talk.last();
    talk.takeSent();
    talk.tellingFails = true;
    Decision decision = Conversation.replied(false);
    assertThatThrownBy(() -> talk.answer(copy, decision)).isInstanceOf(OutOfMemoryError.class);
    talk.pass(3_000);
    talk.answer(talk.last(), Conversation.replied(true));
    talk.syncDone();
    assertThat(talk.decided).containsOnlyKeys(request);
    assertThat(talk.session.watermark()).isEqualTo(2);
    assertThat(talk.records).filteredOn(JournalRecord.Decided.class::isInstance).hasSize(1);
  }

  @Test
  void openingThatTheJournalDoesNotTakeIsHeardAgain_C5() {
    Conversation talk = started(List.of());
    talk.syncDone();
    Copy read = talk.takeSent().get(0);
    talk.answer(read, cluster.read(read));
    talk.syncDone();
    Copy open = talk.takeSent().get(0);
    talk.appendFails = true;
    assertThatThrownBy(() -> talk.answer(open, cluster.apply(open)))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(talk.session.isOpen()).isFalse();
    talk.pass(3_000);
    deliver(talk);
    assertThat(talk.session.isOpen()).isTrue();
    SessionRequest request = talk.submitTagged("first");
    deliver(talk);
    assertThat(talk.decided).containsOnlyKeys(request);
  }

  private void assertThatNothingIsSentUnsynced(Conversation talk) {
    talk.session.rerouted(talk.now);
    talk.pass(500);
    assertThat(talk.sent).isEmpty();
  }

  @Test
  void aRequestIsOnDiskBeforeItIsSentAndManyShareASync_C5() {
    Conversation talk = opened(List.of());
    for (int i = 0; i < 10; i++) {
      talk.submitTagged("t" + i);
    }
    assertThatNothingIsSentUnsynced(talk);
    talk.syncDone();
    assertThat(talk.takeSequences()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
  }

  @Test
  void aPartialSyncLetsOnlyWhatIsOnDiskGo_C5() {
    Conversation talk = opened(List.of());
    talk.submitTagged("a");
    int first = talk.records.size();
    talk.submitTagged("b");
    talk.session.synced(first, talk.now);
    assertThat(talk.takeSequences()).containsExactly(1L);
  }

  @Test
  void aJournalThatSyncsAtOnceWorksToo() {
    Conversation talk = opened(List.of());
    talk.syncsAtOnce = true;
    talk.submitTagged("a");
    talk.answer(talk.last(), cluster.apply(talk.takeSent().get(0)));
    talk.pass(20);
    assertThat(talk.session.watermark()).isEqualTo(2);
  }

  @Test
  void theWatermarkPassesOnlyWhatIsOnDisk_C5() {
    Conversation talk = opened(List.of());
    talk.submitTagged("a");
    talk.syncDone();
    talk.answer(talk.last(), cluster.apply(talk.takeSent().get(0)));
    assertThat(talk.decided).hasSize(1);
    assertThat(talk.session.watermark()).isEqualTo(1);
    int syncs = talk.syncs;
    talk.pass(20);
    assertThat(talk.syncs).isEqualTo(syncs + 1);
    assertThat(talk.session.watermark()).isEqualTo(1);
    talk.syncDone();
    assertThat(talk.session.watermark()).isEqualTo(2);
  }

  @Test
  void whenTheWindowIsFullDecisionsAreSyncedAtOnce_C5() {
    SessionPlan plan = new SessionPlan(io.onceward.ClientKind.DURABLE, "narrow", true, 2, 9, 9);
    Conversation talk = new Conversation(plan, List.of());
    talk.session.start(0);
    deliver(talk);
    talk.submitTagged("a");
    talk.submitTagged("b");
    talk.submitTagged("c");
    talk.syncDone();
    List<Copy> two = talk.takeSent();
    int syncs = talk.syncs;
    talk.answer(two.get(0), cluster.apply(two.get(0)));
    assertThat(talk.syncs).isEqualTo(syncs + 1);
    talk.syncDone();
    assertThat(talk.takeSequences()).containsExactly(3L);
  }

  @Test
  void aProcessThatComesBackResendsUnderTheSameIdAndGoesOnBehind_C5() {
    Conversation before = opened(List.of());
    before.submitTagged("a");
    before.submitTagged("b");
    before.syncDone();
    List<Copy> two = before.takeSent();
    cluster.apply(two.get(0));

    Conversation after = started(before.crash());
    assertThat(after.session.undecided()).extracting(SessionRequest::tag).containsExactly("a", "b");
    deliver(after);
    assertThat(after.session.address().session()).isEqualTo(before.session.address().session());
    assertThat(after.decided.keySet()).extracting(SessionRequest::tag).containsExactly("a", "b");
    assertThat(cluster.executed()).containsExactly("a", "b");
    assertThat(after.submitTagged("c").sequence()).isEqualTo(3);
    deliver(after);
    assertThat(cluster.executed()).containsExactly("a", "b", "c");
  }

  @Test
  void whatWasNeverSyncedWasNeverSentAndItsSequenceIsUsedAgain_C5() {
    Conversation before = opened(List.of());
    before.submitTagged("a");
    Conversation after = opened(before.crash());
    assertThat(after.session.undecided()).isEmpty();
    assertThat(after.submitTagged("b").sequence()).isEqualTo(1);
    deliver(after);
    assertThat(cluster.executed()).containsExactly("b");
  }

  @Test
  void nothingIsResentIntoANewSession_S2_execution1() {
    Conversation before = opened(List.of());
    before.submitTagged("7");
    before.syncDone();
    cluster.apply(before.takeSent().get(0));
    cluster.pass(8L * 24 * 3_600_000);
    assertThat(cluster.replica().sessions()).isEmpty();

    Conversation after = started(before.crash());
    deliver(after);
    assertThat(after.end).isEqualTo(new End.Lost(new Decision.Refused(Refusal.NO_SESSION)));
    assertThat(after.unknown).extracting(SessionRequest::tag).containsExactly("7");
    assertThat(cluster.executed()).containsExactly("7");

    // The caller opens again, on purpose: a new session, and the unknown one is still told.
    after.syncDone();
    Conversation again = opened(after.crash());
    assertThat(again.session.undecided()).isEmpty();
    assertThat(again.session.kept().entry("7").left()).isEqualTo(before.session.address());
    assertThat(again.session.kept().entry("7").decision()).isNull();
    again.submitTagged("8");
    deliver(again);
    assertThat(cluster.executed()).containsExactly("7", "8");
    again.session.taken("7", again.now);
    again.syncDone();
    assertThat(Conversation.state(again.crash()).entry("7")).isNull();
  }

  @Test
  void aJournalThatWasOvertakenLearnsIt_S2_S4_execution2() {
    Conversation one = opened(List.of());
    one.submitTagged("A");
    one.syncDone();

    Conversation two = started(List.of());
    deliver(two);
    two.submitTagged("B");
    deliver(two);
    assertThat(cluster.executed()).containsExactly("B");

    Conversation back = started(one.crash());
    deliver(back);
    assertThat(back.end).isEqualTo(new End.Lost(new Decision.Refused(Refusal.SUPERSEDED)));
    assertThat(back.decided).isEmpty();
    assertThat(back.unknown).extracting(SessionRequest::tag).containsExactly("A");
    assertThat(cluster.executed()).containsExactly("B");
  }

  @Test
  void anOpeningWhoseAnswerWasLostIsFoundAgain_S1_execution3() {
    Conversation before = started(List.of());
    before.answer(before.last(), cluster.read(before.takeSent().get(0)));
    before.syncDone();
    cluster.apply(before.takeSent().get(0));
    assertThat(cluster.replica().sessions()).hasSize(1);

    Conversation after = started(before.crash());
    assertThat(after.last().request())
        .isEqualTo(((JournalRecord.Opening) before.records.get(0)).opening());
    deliver(after);
    assertThat(after.session.isOpen()).isTrue();
    assertThat(cluster.replica().sessions()).hasSize(1);
  }

  @Test
  void anOpeningOfASuccessorIsFoundAgainToo_S1_execution3() {
    Conversation first = opened(List.of());
    first.submitTagged("a");
    first.syncDone();
    Conversation second = started(first.crash());
    second.syncDone();
    cluster.apply(second.takeSent().get(0));

    Conversation third = opened(second.crash());
    assertThat(third.decided).hasSize(1);
    assertThat(cluster.executed()).containsExactly("a");
  }

  @Test
  void aRestoredClusterTurnsOldJournalsAway_S1_execution4() {
    Conversation before = opened(List.of());
    before.submitTagged("a");
    before.syncDone();
    cluster.decide(new Request.ReformCluster(Cluster.ID, new io.onceward.ClusterId(99, 99)));
    Conversation after = started(before.crash());
    deliver(after);
    assertThat(after.end).isEqualTo(new End.Lost(new Decision.Refused(Refusal.NO_SESSION)));
    assertThat(cluster.executed()).isEmpty();
  }

  @Test
  void aReplyThatTheApplicationDidNotTakeIsStillThereAfterACrash_C5_execution16() {
    Conversation before = opened(List.of());
    before.submitTagged("7");
    deliver(before);
    before.pass(10_000);
    deliver(before);
    assertThat(cluster.replica().sessions().get(0).watermark()).isEqualTo(2);

    Conversation after = opened(before.crash());
    assertThat(after.sent).isEmpty();
    JournalState.Entry entry = after.session.kept().entry("7");
    assertThat(((Decision.Replied) entry.decision()).reply().bytes().asText()).isEqualTo("done 7");
    after.session.taken("7", after.now);
    after.pass(20);
    after.syncDone();
    assertThat(Conversation.state(after.crash()).entries()).isEmpty();
    assertThat(opened(after.crash()).submitTagged("8").sequence()).isEqualTo(2);
  }

  @Test
  void aTagIsUsedOnceWhileTheJournalHoldsIt() {
    Conversation talk = opened(List.of());
    talk.submitTagged("a");
    assertThatThrownBy(() -> talk.submitTagged("a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"a\"");
    assertThatThrownBy(() -> talk.submitTagged("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> talk.session.taken("a", 0))
        .isInstanceOf(IllegalArgumentException.class);
    deliver(talk);
    talk.session.taken("a", talk.now);
    assertThat(talk.submitTagged("a").sequence()).isEqualTo(2);
  }

  @Test
  void sequencesThatOnlyTheLogKnowsAreClosedAndNotUsed() {
    Conversation before = opened(List.of());
    before.submitTagged("a");
    before.syncDone();
    List<JournalRecord> copyOfTheJournal = before.crash();
    deliver(before);
    before.submitTagged("b");
    before.submitTagged("c");
    deliver(before);

    Conversation restored = opened(copyOfTheJournal);
    assertThat(restored.decided.keySet()).extracting(SessionRequest::tag).containsExactly("a");
    assertThat(restored.submitTagged("d").sequence()).isEqualTo(4);
    deliver(restored);
    assertThat(cluster.executed()).containsExactly("a", "b", "c", "d");
    assertThat(restored.session.watermark()).isEqualTo(5);
    assertThat(Conversation.state(restored.crash()).undecided()).isEmpty();
  }

  @Test
  void aJournalFromLongAgoGoesOnBehindWhatIsAcknowledged() {
    Conversation before = opened(List.of());
    List<JournalRecord> copyOfTheJournal = before.crash();
    for (int i = 0; i < 100; i++) {
      before.submitTagged("t" + i);
      deliver(before);
      before.pass(20);
    }
    deliver(before);

    Conversation restored = started(copyOfTheJournal);
    restored.syncDone();
    restored.answer(restored.last(), cluster.apply(restored.takeSent().get(0)));
    restored.syncDone();
    assertThat(restored.takeSent()).as("sequences that are closed").hasSizeLessThan(5);
    assertThat(restored.submitTagged("x").sequence()).isEqualTo(101);
  }

  /** It would have to close them all, one by one. */
  @Test
  void whoClaimsMoreSequencesThanAWindowHasIsNotBelieved() {
    Conversation talk = opened(List.of());
    Conversation back = started(talk.crash());
    back.syncDone();
    Copy opening = back.takeSent().get(0);
    back.answer(opening, new Decision.Opened(77, 78, 1, Long.MAX_VALUE, 1_024, true));
    assertThat(back.session.isOpen()).isFalse();
    assertThatThrownBy(() -> new JournalState().apply(new JournalRecord.Holes(1, Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class);
    back.pass(10_000);
    Copy again = back.last();
    back.answer(again, cluster.apply(again));
    assertThat(back.session.isOpen()).isTrue();
  }

  @Test
  void holesSurviveACrashBeforeTheyAreClosed() {
    Conversation before = opened(List.of());
    cluster.decide(new Request.AbandonSequence(before.session.address(), 3));
    Conversation after = started(before.crash());
    after.syncDone();
    after.answer(after.last(), cluster.apply(after.takeSent().get(0)));
    after.submitTagged("x");
    after.syncDone();

    Conversation last = opened(after.crash());
    assertThat(last.decided.keySet()).extracting(SessionRequest::tag).containsExactly("x");
    assertThat(cluster.executed()).containsExactly("x");
    assertThat(last.session.watermark()).isEqualTo(5);
  }

  @Test
  void closingForGoodEmptiesTheJournal_S9() {
    Conversation talk = opened(List.of());
    talk.submitTagged("a");
    talk.session.close(talk.now);
    deliver(talk);
    assertThat(talk.end).isEqualTo(new End.Closed());
    assertThat(cluster.replica().sessions()).isEmpty();
    JournalState state = Conversation.state(talk.crash());
    assertThat(state.address()).isNull();
    assertThat(state.entries()).extracting(JournalState.Entry::tag).containsExactly("a");
    assertThat(state.entry("a").decision()).isNotNull();
  }

  @Test
  void aRefusedOpeningDoesNotStayInTheJournal() {
    SessionPlan wide =
        new SessionPlan(io.onceward.ClientKind.DURABLE, "billing", true, 1 << 20, 50, 50);
    Conversation talk = new Conversation(wide, List.of());
    talk.session.start(0);
    deliver(talk);
    assertThat(talk.end).isInstanceOf(End.NotOpened.class);
    talk.syncDone();
    assertThat(opened(talk.crash()).session.isOpen()).isTrue();
  }

  @Test
  void compactingAtAnyMomentChangesNothing() {
    Conversation talk = opened(List.of());
    JournalState state = new JournalState();
    for (int i = 0; i < 12; i++) {
      talk.submitTagged("t" + i);
      if (i % 3 == 1) {
        deliver(talk);
      }
      if (i == 7) {
        talk.session.taken("t2", talk.now);
        talk.session.taken("t6", talk.now);
      }
    }
    talk.refuse(new Copy(talk.session.undecided().get(0), 1, null, null, ""), Refusal.NO_SESSION);
    for (JournalRecord record : talk.records) {
      state.apply(record);
      List<JournalRecord> compact = state.records();
      assertThat(Conversation.state(compact).records()).isEqualTo(compact);
      assertThat(Conversation.state(compact).nextSequence()).isEqualTo(state.nextSequence());
      assertThat(Conversation.state(compact).address()).isEqualTo(state.address());
    }
    assertThat(state.entries()).hasSize(10);
    assertThat(state.entries()).allMatch(entry -> entry.left() != null);
  }

  @Test
  void recordsThatCannotFollowAreRefused() {
    JournalState state = new JournalState();
    assertThatThrownBy(() -> state.apply(new JournalRecord.Decided(1, Conversation.replied(false))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> state.apply(new JournalRecord.Taken("x")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
