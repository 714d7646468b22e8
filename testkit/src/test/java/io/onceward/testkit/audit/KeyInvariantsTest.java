package io.onceward.testkit.audit;

import static io.onceward.testkit.audit.Story.ALICE;
import static io.onceward.testkit.audit.Story.SCOPE;
import static io.onceward.testkit.audit.Story.breaks;
import static io.onceward.testkit.audit.Story.keyed;
import static io.onceward.testkit.audit.Story.refused;
import static io.onceward.testkit.audit.Story.reply;

import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Horizon;
import io.onceward.testkit.audit.Events.Shown;
import io.onceward.testkit.audit.Events.Told;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyInvariantsTest {
  private static final Key DATED = Key.dated(1_000_000_000, 7);
  private static final Key OLDER = Key.dated(900_000_000, 8);
  private static final Key TEXT = Key.text("order 1");
  private static final long DAY = 24 * 3_600_000;

  private static Story withLongInterval(Story story) {
    return story.set(Parameter.KEEP_ALIVE_MILLIS, 600_000);
  }

  private static void letADayPass(Story story) {
    for (int i = 0; i < 24 * 4; i++) {
      story.later(DAY / 24 / 4).decided(new Request.Tick(), new Decision.Done());
    }
  }

  // ExecutedAtMostOnce

  @Test
  void aKeyThatExecutesAgainIsNoticed() {
    Story story = new Story(ExecutedAtMostOnce::new).executed(keyed(DATED, 71));
    breaks(() -> story.executed(keyed(DATED, 72)), "a key executed again");
  }

  @Test
  void anUndatedKeyMayExecuteAgainAfterItsRetention() {
    Story story = withLongInterval(new Story(ExecutedAtMostOnce::new)).executed(keyed(TEXT, 71));
    letADayPass(story);
    story.later(1_000).executed(keyed(TEXT, 71));
  }

  @Test
  void anUndatedKeyMayNotExecuteAgainBefore() {
    Story story = withLongInterval(new Story(ExecutedAtMostOnce::new)).executed(keyed(TEXT, 71));
    story.later(DAY / 2);
    breaks(() -> story.executed(keyed(TEXT, 71)), "a key executed again");
  }

  // AckedIsNeverLost

  @Test
  void aRecordThatIsGoneBeforeItsTimeIsNoticed() {
    Story story = new Story(AckedIsNeverLost::new).executed(keyed(DATED, 71));
    breaks(
        () -> story.decided(keyed(DATED, 71), refused(Refusal.FORGOTTEN)),
        "a remembered reply was not given");
  }

  @Test
  void aTombstoneThatNobodyAskedForIsNoticed() {
    Story story = new Story(AckedIsNeverLost::new).executed(keyed(DATED, 71));
    breaks(
        () -> story.decided(keyed(DATED, 71), refused(Refusal.ACKNOWLEDGED)),
        "acknowledged that nobody acknowledged");
  }

  // MismatchHasNoEffect, NoForeignReply

  @Test
  void aCallerWhoIsShownTheReplyOfAnotherPayloadIsNoticed() {
    Story story = new Story(MismatchHasNoEffect::new);
    story.executed(keyed(DATED, 71, new Fingerprint(1)));
    Request.Keyed other = keyed(DATED, 72, new Fingerprint(2));
    breaks(
        () -> story.heard(ALICE, other, story.replay(71, story.position(), story.nowMillis())),
        "shown the reply of another payload");
  }

  @Test
  void aReplyUnderAnotherPrincipalsKeyIsNoticed() {
    Story story = new Story(NoForeignReply::new).executed(keyed(DATED, 71));
    Decision.Replied replied = story.replay(71, story.position(), story.nowMillis());
    breaks(() -> story.decided("mallory", keyed(DATED, 72), replied), "a reply of another request");
    breaks(
        () -> story.heard("mallory", keyed(DATED, 72), replied), "told a reply of another request");
  }

  /** The undated key executes, is forgotten and abandoned, and executes again: two lives. */
  private static Story twoLives(Story story) {
    story.executed(keyed(TEXT, 71));
    story
        .later(DAY)
        .decided(new Request.Forget(story.nowMillis() - DAY / 2), new Decision.Forgot(1));
    return story.decided(new Request.AbandonKey(SCOPE, TEXT), new Decision.Abandoned(false));
  }

  @Test
  void replyOfAnEarlierLifeOfAKeyMayStillArrive() {
    Story story = new Story(NoForeignReply::new);
    Decision.Replied first = story.first(71);
    twoLives(story).heard(ALICE, keyed(TEXT, 71), first);
    story.heard(ALICE, new Request.AbandonKey(SCOPE, TEXT), first);
  }

  @Test
  void replyThatNoLifeOfAKeyGaveIsNoticed() {
    Story story = new Story(NoForeignReply::new).executed(keyed(DATED, 70));
    twoLives(story).later(DAY).executed(keyed(TEXT, 72));
    breaks(
        () -> story.heard(ALICE, keyed(TEXT, 72), story.replay(70, 1, story.nowMillis())),
        "told a reply of another request");
    breaks(
        () -> story.heard(ALICE, keyed(TEXT, 72), story.replay(71, 3, story.nowMillis())),
        "told a reply of another request");
  }

  // ForgottenNeverExecutes

  @Test
  void anIdAsOldAsADroppedRecordThatExecutesIsNoticed() {
    Story story = withLongInterval(new Story(ForgottenNeverExecutes::new));
    story.executed(keyed(DATED, 71));
    letADayPass(story);
    story.later(1_000);
    breaks(() -> story.executed(keyed(OLDER, 72)), "an id as old as dropped records executed");
  }

  @Test
  void anIdAsOldAsAForgottenRecordThatExecutesIsNoticed() {
    Story story = new Story(ForgottenNeverExecutes::new).executed(keyed(DATED, 71));
    story.later(DAY);
    story.decided(new Request.Forget(story.nowMillis() - DAY / 2), new Decision.Forgot(1));
    breaks(() -> story.executed(keyed(OLDER, 72)), "an id as old as dropped records executed");
  }

  @Test
  void anIdFromTheFutureThatExecutesIsNoticed() {
    Story story = new Story(ForgottenNeverExecutes::new);
    Key later = Key.dated((story.nowMillis() + DAY) * 1_000, 1);
    breaks(() -> story.executed(keyed(later, 71)), "an id from the future executed");
  }

  @Test
  void aHorizonThatGoesBackIsNoticed() {
    Story story = new Story(ForgottenNeverExecutes::new);
    story.auditor.horizon(new Horizon(0, 10, "shop", 500));
    story.auditor.horizon(new Horizon(1, 5, "shop", 400));
    breaks(() -> story.auditor.horizon(new Horizon(1, 11, "shop", 499)), "the horizon went back");
  }

  // NeverMeansNever

  @Test
  void aKeyThatExecutesAfterItWasAbandonedIsNoticed() {
    Story story = new Story(NeverMeansNever::new);
    story.decided(new Request.AbandonKey(SCOPE, DATED), new Decision.Abandoned(true));
    breaks(() -> story.executed(keyed(DATED, 71)), "executed after it was told never");
  }

  @Test
  void aPayloadThatExecutesAfterItMismatchedIsNoticed() {
    Story story = new Story(NeverMeansNever::new);
    story.heard(ALICE, keyed(DATED, 71), refused(Refusal.MISMATCH));
    breaks(() -> story.executed(keyed(DATED, 71)), "executed after it was told never");
  }

  // MemoryWithinBound

  @Test
  void tablesOverTheirLimitAreNoticed() {
    Story story = new Story(MemoryWithinBound::new).set(Parameter.MAX_TABLE_BYTES, 1 << 16);
    story.auditor.shown(new Shown(0, 1, 0, 0, 1 << 16));
    breaks(
        () -> story.auditor.shown(new Shown(0, 1, 0, 0, (1 << 16) + (1 << 13))),
        "the tables are over their limit");
  }

  @Test
  void aFullTableThatRefusesAnAcknowledgementIsNoticed() {
    Story story = new Story(MemoryWithinBound::new);
    breaks(
        () ->
            story.decided(
                new Request.Acknowledge(SCOPE, List.of(DATED)), refused(Refusal.OVERLOADED)),
        "what lets the tables shrink was turned away");
  }

  @Test
  void aTableThatIsFullTooEarlyIsNoticed() {
    Story story = new Story(MemoryWithinBound::new);
    breaks(
        () ->
            story.decided(
                keyed(DATED, 71), new Decision.Refused(Refusal.OVERLOADED, "table bytes")),
        "refused for lack of room that there was");
  }

  // OutcomesAreTrue

  @Test
  void anOutcomeFromAStaleNodeIsNoticed() {
    Story story = new Story(OutcomesAreTrue::new).executed(keyed(DATED, 71));
    breaks(
        () -> story.auditor.told(told(new Outcome.NeverSeen(), 1, 0)),
        "an outcome from before an answer");
  }

  @Test
  void anOutcomeThatDeniesAnExecutionIsNoticed() {
    Story story = new Story(OutcomesAreTrue::new).executed(keyed(DATED, 71));
    story.auditor.told(told(new Outcome.Executed(reply(71), 1, story.nowMillis()), 1, 1));
    breaks(
        () -> story.auditor.told(told(new Outcome.NeverSeen(), 1, 1)),
        "told as never seen what executed");
    breaks(
        () -> story.auditor.told(told(new Outcome.Executed(reply(72), 1, 0), 1, 1)),
        "told as executed what executed otherwise");
  }

  @Test
  void outcomeIsHeldAgainstWhatItsNodeHadApplied() {
    Story story = new Story(OutcomesAreTrue::new);
    Outcome executed = new Outcome.Executed(reply(71), 1, story.nowMillis());
    twoLives(story);
    story.auditor.told(told(TEXT, executed, 1, 1));
    story.auditor.told(told(TEXT, new Outcome.Abandoned(), 1, 3));
    breaks(
        () -> story.auditor.told(told(TEXT, executed, 1, 3)),
        "told as executed what executed otherwise");
    breaks(
        () -> story.auditor.told(told(TEXT, new Outcome.Abandoned(), 1, 1)),
        "told as abandoned what was not");
    breaks(
        () -> story.auditor.told(told(TEXT, new Outcome.Acknowledged(), 1, 1)),
        "told as acknowledged what was not");
    breaks(
        () -> story.auditor.told(told(TEXT, new Outcome.NoRecordSince(1), 1, 3)),
        "told nothing of what is remembered");
  }

  private static Told told(Outcome outcome, long asked, long served) {
    return told(DATED, outcome, asked, served);
  }

  private static Told told(Key key, Outcome outcome, long asked, long served) {
    return new Told(ALICE, new Id.Keyed(SCOPE.name(), key), null, outcome, asked, served);
  }
}
