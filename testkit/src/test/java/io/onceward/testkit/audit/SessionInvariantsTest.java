package io.onceward.testkit.audit;

import static io.onceward.testkit.audit.Story.ALICE;
import static io.onceward.testkit.audit.Story.address;
import static io.onceward.testkit.audit.Story.ask;
import static io.onceward.testkit.audit.Story.breaks;
import static io.onceward.testkit.audit.Story.open;
import static io.onceward.testkit.audit.Story.opened;
import static io.onceward.testkit.audit.Story.refused;
import static io.onceward.testkit.audit.Story.reply;

import io.onceward.ClientKind;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Refusal;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SessionInvariantsTest {
  private static final long SESSION = address().session();
  private static final long NEXT = 9L << 16;

  // ExecutedAtMostOnce

  @Test
  void aSequenceThatExecutesAgainIsNoticed() {
    Story story = new Story(ExecutedAtMostOnce::new).sessionIsOpen(ClientKind.REGISTERED);
    story.executed(ask(1, 1, 71));
    breaks(() -> story.executed(ask(1, 1, 72)), "a sequence executed again");
  }

  @Test
  void aWishThatIsFulfilledUnderTwoIdsIsNoticed() {
    Story story = new Story(ExecutedAtMostOnce::new).sessionIsOpen(ClientKind.REGISTERED);
    story.executed(ask(1, 1, 71));
    breaks(() -> story.executed(ask(2, 1, 71)), "a wish was fulfilled twice");
  }

  @Test
  void anEffectOfARefusedCopyIsNoticed() {
    Story story = new Story(ExecutedAtMostOnce::new).sessionIsOpen(ClientKind.REGISTERED);
    breaks(
        () ->
            story.decided(
                ask(1, 1, 71), refused(Refusal.OUT_OF_ORDER), new Execution(71, ALICE, reply(71))),
        "the service ran for a copy that was told otherwise");
  }

  // AckedIsNeverLost

  @Test
  void aReplyThatIsNotInTheLogIsNoticed() {
    Story story = new Story(AckedIsNeverLost::new).sessionIsOpen(ClientKind.REGISTERED);
    breaks(
        () -> story.heard(ALICE, ask(1, 1, 71), story.first(71)), "a reply that is not in the log");
  }

  @Test
  void aSessionThatIsGoneBeforeItsTimeIsNoticed() {
    Story story = new Story(AckedIsNeverLost::new).sessionIsOpen(ClientKind.REGISTERED);
    story.later(4 * 60_000);
    breaks(
        () -> story.decided(ask(1, 1, 71), refused(Refusal.NO_SESSION)),
        "a session was gone before its time");
  }

  @Test
  void aRememberedReplyThatIsNotGivenIsNoticed() {
    Story story = new Story(AckedIsNeverLost::new).sessionIsOpen(ClientKind.REGISTERED);
    story.executed(ask(1, 1, 71));
    breaks(
        () -> story.decided(ask(1, 1, 71), refused(Refusal.OVERLOADED)),
        "a remembered reply was not given");
  }

  @Test
  void aNameThatIsOpenedAfreshTooEarlyIsNoticed() {
    Story story = new Story(AckedIsNeverLost::new).sessionIsOpen(ClientKind.DURABLE);
    breaks(
        () ->
            story.decided(
                open(ClientKind.DURABLE, 2, 0), new Decision.Opened(NEXT, NEXT, 1, 1, 8, true)),
        "a named session was gone before its time");
  }

  @Test
  void aCallerWhoIsToldWronglyThatItsSessionIsGoneIsNoticed() {
    Story story = new Story(AckedIsNeverLost::new).sessionIsOpen(ClientKind.REGISTERED);
    breaks(
        () -> story.heard(ALICE, ask(1, 1, 71), refused(Refusal.NO_SESSION)),
        "told that a session is gone which is not");
  }

  // RepliesNeverDiffer

  @Test
  void aRetryThatIsToldAnotherReplyIsNoticed() {
    Story story = new Story(RepliesNeverDiffer::new).sessionIsOpen(ClientKind.REGISTERED);
    story.executed(ask(1, 1, 71));
    long at = story.position();
    story.decided(ask(1, 1, 71), story.replay(71, at, story.nowMillis()));
    breaks(
        () -> story.decided(ask(1, 1, 71), story.replay(72, at, story.nowMillis())),
        "a retry was told another reply");
  }

  @Test
  void aRetriedOpeningWithAnotherSessionIsNoticed() {
    Story story = new Story(RepliesNeverDiffer::new).sessionIsOpen(ClientKind.REGISTERED);
    breaks(
        () ->
            story.decided(
                open(ClientKind.REGISTERED, 1, 0), new Decision.Opened(NEXT, NEXT, 1, 1, 8, true)),
        "a retried opening did not get its session");
  }

  // NoForeignReply

  @Test
  void aStrangerWhoIsHeardIsNoticed() {
    Story story = new Story(NoForeignReply::new).sessionIsOpen(ClientKind.REGISTERED);
    breaks(
        () -> story.decided("mallory", new Request.KeepAlive(address(), 1), new Decision.Done()),
        "a stranger met more than a session that does not exist");
  }

  @Test
  void aSessionOfAnotherClusterThatIsHeardIsNoticed() {
    Story story = new Story(NoForeignReply::new).sessionIsOpen(ClientKind.REGISTERED);
    story.clusterIs(new ClusterId(7, 7));
    breaks(
        () -> story.decided(ask(1, 1, 71), story.first(71)),
        "a stranger met more than a session that does not exist");
  }

  @Test
  void aReplyOfAnotherRequestIsNoticed() {
    Story story = new Story(NoForeignReply::new).sessionIsOpen(ClientKind.REGISTERED);
    story.executed(ask(1, 1, 71)).executed(ask(2, 1, 72));
    breaks(
        () -> story.decided(ask(1, 1, 71), story.replay(72, 3, story.nowMillis())),
        "a reply of another request");
  }

  @Test
  void anOpeningWithTheSessionOfAnotherClientIsNoticed() {
    Story story = new Story(NoForeignReply::new).sessionIsOpen(ClientKind.REGISTERED);
    breaks(
        () -> story.decided(open(ClientKind.REGISTERED, 2, 0), opened(SESSION)),
        "the session of another client");
  }

  // MismatchHasNoEffect

  @Test
  void aReplyThatIsShownToAnotherPayloadIsNoticed() {
    Story story = new Story(MismatchHasNoEffect::new).sessionIsOpen(ClientKind.REGISTERED);
    story.executed(ask(address(), 1, 1, 71, new Fingerprint(1)));
    Request.InSession other = ask(address(), 1, 1, 72, new Fingerprint(2));
    story.decided(other, refused(Refusal.MISMATCH));
    breaks(
        () -> story.decided(other, story.replay(71, 2, story.nowMillis())),
        "another payload under the same id");
  }

  @Test
  void aMismatchWithoutOneIsNoticed() {
    Story story = new Story(MismatchHasNoEffect::new).sessionIsOpen(ClientKind.REGISTERED);
    Request.InSession same = ask(address(), 1, 1, 71, new Fingerprint(1));
    story.executed(same);
    breaks(
        () -> story.decided(same, refused(Refusal.MISMATCH)), "refused as a mismatch without one");
  }

  // ExpiredNeverExecutes

  @Test
  void aSessionThatIsHeardAfterItsTimeIsNoticed() {
    Story story = new Story(ExpiredNeverExecutes::new);
    story.set(Parameter.SESSION_EXPIRY_MILLIS, 2_000).sessionIsOpen(ClientKind.REGISTERED);
    story.later(3_500);
    breaks(() -> story.executed(ask(1, 1, 71)), "a session that is gone was heard");
  }

  @Test
  void aShorterExpiryThatCountsFromBeforeItWasSetIsNoticed() {
    Story story = new Story(AckedIsNeverLost::new).sessionIsOpen(ClientKind.REGISTERED);
    story.later(60_000).set(Parameter.SESSION_EXPIRY_MILLIS, 2_000).later(1_000);
    breaks(
        () -> story.decided(ask(1, 1, 71), refused(Refusal.NO_SESSION)),
        "a session was gone before its time");
  }

  @Test
  void aSessionThatIsHeardAfterAShorterExpiryIsNoticed() {
    Story story = new Story(ExpiredNeverExecutes::new).sessionIsOpen(ClientKind.REGISTERED);
    story.later(60_000).set(Parameter.SESSION_EXPIRY_MILLIS, 2_000).later(3_500);
    breaks(() -> story.executed(ask(1, 1, 71)), "a session that is gone was heard");
  }

  @Test
  void aClosedSessionThatIsHeardIsNoticed() {
    Story story = new Story(ExpiredNeverExecutes::new).sessionIsOpen(ClientKind.REGISTERED);
    story.decided(new Request.Close(address()), new Decision.Done());
    breaks(
        () -> story.decided(new Request.KeepAlive(address(), 1), new Decision.Done()),
        "a session that is gone was heard");
  }

  // WatermarkNeverRegresses

  @Test
  void aSequenceBelowTheWatermarkThatReplaysIsNoticed() {
    Story story = new Story(WatermarkNeverRegresses::new).sessionIsOpen(ClientKind.REGISTERED);
    story.executed(ask(1, 1, 71)).executed(ask(2, 2, 72));
    breaks(
        () -> story.decided(ask(1, 1, 71), story.replay(71, 2, story.nowMillis())),
        "a sequence below the watermark was not refused");
  }

  @Test
  void aSequenceThatCountsAsTakenTooEarlyIsNoticed() {
    Story story = new Story(WatermarkNeverRegresses::new).sessionIsOpen(ClientKind.REGISTERED);
    story.executed(ask(1, 1, 71));
    breaks(
        () -> story.decided(ask(1, 1, 71), refused(Refusal.ACKNOWLEDGED)),
        "counts as taken that the client has not taken");
  }

  @Test
  void aWatermarkThatPassesAnUndecidedSequenceIsNoticed() {
    Story story = new Story(WatermarkNeverRegresses::new).sessionIsOpen(ClientKind.REGISTERED);
    breaks(
        () -> story.decided(new Request.KeepAlive(address(), 2), new Decision.Done()),
        "a bad watermark was taken");
  }

  // SupersededNeverExecutes

  @Test
  void aSupersededClientThatIsHeardIsNoticed() {
    Story story = new Story(SupersededNeverExecutes::new).sessionIsOpen(ClientKind.DURABLE);
    story.decided(open(ClientKind.DURABLE, 2, SESSION), opened(NEXT));
    breaks(
        () -> story.decided(new Request.Close(address(SESSION)), new Decision.Done()),
        "another incarnation than the current one was heard");
  }

  @Test
  void anOpeningThatFollowsNobodyIsNoticed() {
    Story story = new Story(SupersededNeverExecutes::new).sessionIsOpen(ClientKind.DURABLE);
    breaks(
        () -> story.decided(open(ClientKind.DURABLE, 2, 0), opened(NEXT)),
        "took over without following the current incarnation");
  }

  // NeverMeansNever

  @Test
  void anAbandonedSequenceThatExecutesIsNoticed() {
    Story story = new Story(NeverMeansNever::new).sessionIsOpen(ClientKind.REGISTERED);
    story.decided(new Request.AbandonSequence(address(), 1), new Decision.Abandoned(true));
    breaks(() -> story.executed(ask(1, 1, 71)), "executed after it was told never");
  }

  @Test
  void aNeverThatALeaderMadeUpIsNoticed() {
    Story story = new Story(NeverMeansNever::new).sessionIsOpen(ClientKind.REGISTERED);
    story.heard(ALICE, ask(1, 1, 71), refused(Refusal.ABANDONED));
    breaks(() -> story.executed(ask(1, 1, 71)), "executed after it was told never");
  }

  @Test
  void aNeverAboutWhatExecutedIsNoticed() {
    Story story = new Story(NeverMeansNever::new).sessionIsOpen(ClientKind.REGISTERED);
    story.executed(ask(1, 1, 71));
    Decision never = new Decision.Abandoned(true);
    breaks(
        () -> story.decided(new Request.AbandonSequence(address(), 1), never),
        "told never after it executed");
  }

  // OrderIsKept

  @Test
  void aRequestThatOvertakesAnotherIsNoticed() {
    Story story = new Story(OrderIsKept::new).sessionIsOpen(ClientKind.REGISTERED);
    breaks(() -> story.executed(ask(2, 1, 72)), "a request overtook another");
  }

  @Test
  void aRequestThatIsHeldBackWithoutNeedIsNoticed() {
    Story story = new Story(OrderIsKept::new).sessionIsOpen(ClientKind.REGISTERED);
    breaks(
        () -> story.decided(ask(1, 1, 71), refused(Refusal.OUT_OF_ORDER)),
        "out of order without need");
  }

  @Test
  void whatIsRightIsLetPass() {
    for (Function<Ledger, Invariant> invariant :
        List.<Function<Ledger, Invariant>>of(
            ExecutedAtMostOnce::new,
            AckedIsNeverLost::new,
            RepliesNeverDiffer::new,
            NoForeignReply::new,
            MismatchHasNoEffect::new,
            ExpiredNeverExecutes::new,
            WatermarkNeverRegresses::new,
            SupersededNeverExecutes::new,
            NeverMeansNever::new,
            OrderIsKept::new)) {
      Story story = new Story(invariant).sessionIsOpen(ClientKind.DURABLE);
      story.executed(ask(1, 1, 71));
      long at = story.position();
      story.decided(ask(1, 1, 71), story.replay(71, at, story.nowMillis()));
      story.heard(ALICE, ask(1, 1, 71), story.replay(71, at, story.nowMillis()));
      story.executed(ask(2, 2, 72));
      story.decided(ask(1, 1, 71), refused(Refusal.ACKNOWLEDGED));
      story.decided(
          open(ClientKind.DURABLE, 2, SESSION), new Decision.Opened(SESSION, NEXT, 2, 3, 8, true));
      story.decided(ask(3, 2, 73), refused(Refusal.SUPERSEDED));
    }
  }

  @Test
  void replyOfAnotherLifeOfAnAutoNameIsNoticed() {
    Story story = new Story(NoForeignReply::new).sessionIsOpen(ClientKind.AUTO);
    long first = address().incarnation();
    long second = first + (1 << 16);
    Decision.Replied early = story.first(71);
    story.executed(ask(1, 1, 71));
    story.decided(open(ClientKind.AUTO, 2, first), opened(second));
    Decision.Replied late = story.first(72);
    story.executed(ask(address(second), 1, 1, 72, null));
    story.heard(ALICE, ask(1, 1, 71), early);
    breaks(
        () -> story.heard(ALICE, ask(address(second), 1, 1, 72, null), early),
        "told a reply of another request");
    breaks(() -> story.heard(ALICE, ask(1, 1, 71), late), "told a reply of another request");
  }
}
