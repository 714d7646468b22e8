package io.onceward.testkit.audit;

import static io.onceward.testkit.audit.Story.ALICE;
import static io.onceward.testkit.audit.Story.breaks;
import static io.onceward.testkit.audit.Story.keyed;
import static io.onceward.testkit.audit.Story.refused;
import static io.onceward.testkit.audit.Story.reply;

import io.onceward.Bytes;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.replica.LogEntry;
import io.onceward.replica.LogPlace;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Compared;
import io.onceward.testkit.audit.Events.Digested;
import io.onceward.testkit.audit.Events.Healed;
import io.onceward.testkit.audit.Events.Queried;
import io.onceward.testkit.audit.Events.Shown;
import io.onceward.testkit.audit.Events.Way;
import io.onceward.wire.Difference;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReplicaInvariantsTest {
  private static final Key KEY = Key.dated(1_000_000_000, 7);

  // ReplicasAgree

  @Test
  void nodesThatDecideDifferentlyAreNoticed() {
    Story story = new Story(ledger -> new ReplicasAgree());
    story.decided(keyed(KEY, 71), refused(Refusal.OVERLOADED));
    breaks(
        () -> story.appliedBy(1, ALICE, keyed(KEY, 71), refused(Refusal.FORGOTTEN)),
        "two nodes decided differently");
  }

  @Test
  void servicesThatRunDifferentlyAreNoticed() {
    Story story = new Story(ledger -> new ReplicasAgree());
    story.executed(keyed(KEY, 71));
    Decision.Replied same = new Decision.Replied(reply(71), false, 1, story.nowMillis());
    breaks(
        () -> story.appliedBy(1, ALICE, keyed(KEY, 71), same, new Execution(71, ALICE, reply(72))),
        "two services ran differently");
  }

  @Test
  void digestsThatDifferAreNoticed() {
    Story story = new Story(ledger -> new ReplicasAgree());
    story.auditor.digested(new Digested(0, 5, Way.APPLIED, "aa"));
    story.auditor.digested(new Digested(1, 6, Way.APPLIED, "bb"));
    breaks(
        () -> story.auditor.digested(new Digested(1, 5, Way.APPLIED, "bb")),
        "two nodes differ at one position");
  }

  // EveryNameMeansItsPrincipal

  @Test
  void commandOfSomebodyElseIsNoticed() {
    Story story = new Story(EveryNameMeansItsPrincipal::new);
    story.decided(new Request.Alias("al", ALICE), new Decision.Done());
    story.decided("al", keyed(KEY, 71), story.first(71), new Execution(71, ALICE, reply(71)));
    breaks(
        () ->
            story.decided(
                "al",
                keyed(Key.text("k"), 72),
                story.first(72),
                new Execution(72, "al", reply(72))),
        "executed as somebody else");
  }

  @Test
  void queryOfSomebodyElseIsNoticed() {
    Story story = new Story(EveryNameMeansItsPrincipal::new);
    story.decided(new Request.Alias("al", ALICE), new Decision.Done());
    story.auditor.queried(new Queried(0, 0, "al", "al"));
    story.auditor.queried(new Queried(0, 1, "al", ALICE));
    breaks(() -> story.auditor.queried(new Queried(0, 1, "al", "al")), "queried as somebody else");
  }

  // SnapshotEqualsReplay

  @Test
  void aRestoredStateThatIsNotTheAppliedOneIsNoticed() {
    Story story = new Story(ledger -> new SnapshotEqualsReplay());
    story.auditor.digested(new Digested(0, 5, Way.APPLIED, "aa"));
    story.auditor.digested(new Digested(1, 5, Way.RESTORED, "aa"));
    breaks(
        () -> story.auditor.digested(new Digested(-1, 5, Way.REPLAYED, "bb")),
        "a state depends on the way to it");
  }

  // LogTimeNeverRegresses

  @Test
  void aTimeThatGoesBackIsNoticed() {
    Story story = new Story(LogTimeNeverRegresses::new);
    story.auditor.shown(new Shown(0, 5, 2_000, 10, 0));
    breaks(() -> story.auditor.shown(new Shown(0, 6, 1_999, 10, 0)), "log time or age went back");
  }

  @Test
  void aTimeThatTheLogDoesNotTellIsNoticed() {
    Story story = new Story(LogTimeNeverRegresses::new);
    story.decided(new Request.Tick(), new Decision.Done());
    story.auditor.shown(new Shown(0, 1, story.nowMillis(), 0, 0));
    breaks(
        () -> story.auditor.shown(new Shown(1, 1, story.nowMillis(), 1, 0)),
        "log time or age is not what the log says");
  }

  @Test
  void anExecutionAtAnotherTimeIsNoticed() {
    Story story = new Story(LogTimeNeverRegresses::new);
    Decision.Replied early = new Decision.Replied(reply(71), false, 1, 5);
    breaks(
        () -> story.decided(keyed(KEY, 71), early, new Execution(71, ALICE, reply(71))),
        "an execution at another log time");
  }

  // EveryoneIsDecidedAfterHealing

  @Test
  void someoneWhoWaitsForEverIsNoticed() {
    Story story = new Story(ledger -> new EveryoneIsDecidedAfterHealing());
    story.auditor.healed(new Healed(List.of(), 0));
    breaks(
        () -> story.auditor.healed(new Healed(List.of("sequence 7"), 0)), "requests wait for ever");
  }

  // The auditor itself

  @Test
  void aCopyThatIsNotDecidedIsNoticed() {
    Story story = new Story(ledger -> new ReplicasAgree());
    byte[] entry =
        new LogEntry(0, 1, List.of(new LogEntry.Proposal(ALICE, new Request.Tick()))).encode();
    breaks(() -> story.auditor.applied(0, 1, 1, entry, new Batch()), "EveryCopyIsDecided");
  }

  // DifferencesAreNoticed

  private static final String OWN = "00".repeat(32);
  private static final String OTHER = "11".repeat(32);

  private static Story comparedAt5(String leaders) {
    Story story = new Story(ledger -> new DifferencesAreNoticed());
    Bytes digest = Bytes.of(HexFormat.of().parseHex(leaders));
    story.decided(new Request.NameDigest(5, digest), new Decision.Done());
    return story;
  }

  private static Compared node(long since, @Nullable Difference difference, LogPlace... places) {
    return new Compared(1, since, Map.of(5L, OWN), difference, List.of(places));
  }

  @Test
  void nodeThatIsNotComparedIsNoticed() {
    breaks(() -> comparedAt5(OWN).auditor.compared(node(5, null)), "not compared");
    Story silent = new Story(ledger -> new DifferencesAreNoticed());
    breaks(() -> silent.auditor.compared(node(4, null)), "not compared");
    comparedAt5(OWN).auditor.compared(node(4, null));
  }

  @Test
  void nodeThatHidesThatItDiffersIsNoticed() {
    breaks(() -> comparedAt5(OTHER).auditor.compared(node(4, null)), "says nothing");
    comparedAt5(OTHER).auditor.compared(node(4, new Difference(5, OWN, OTHER)));
  }

  @Test
  void falseAlarmIsNoticed() {
    Difference alarm = new Difference(5, OWN, OTHER);
    breaks(() -> comparedAt5(OWN).auditor.compared(node(4, alarm)), "said to differ");
  }

  @Test
  void unconfirmedQuarantineIsNoticed() {
    breaks(
        () -> comparedAt5(OWN).auditor.compared(node(4, null, new LogPlace(2, 0))),
        "not confirmed");
  }
}
