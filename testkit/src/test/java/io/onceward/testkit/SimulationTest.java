package io.onceward.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Refusal;
import io.onceward.testkit.Simulation.Report;
import io.onceward.testkit.world.Parts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final long MINUTE = 60_000;
  private static final int SEEDS = 80;
  private static final List<Report> REPORTS = new ArrayList<>();

  @BeforeAll
  static void runTheSeeds() {
    Simulation simulation = Simulation.ofWhatShips(MINUTE);
    for (int seed = 1; seed <= SEEDS; seed++) {
      REPORTS.add(simulation.run(seed));
    }
  }

  @Test
  void whatShipsKeepsItsPromisesOnEverySeed() {
    assertThat(REPORTS).allSatisfy(report -> assertThat(report.whatHappened()).isEmpty());
    assertThat(REPORTS).allMatch(Report::passed);
  }

  @Test
  void theSameSeedHasTheSameTrace() {
    for (int seed = 1; seed <= 6; seed++) {
      Report again = Simulation.ofWhatShips(MINUTE).run(seed);
      assertThat(again).isEqualTo(REPORTS.get(seed - 1));
    }
  }

  @Test
  void differentSeedsHaveDifferentTraces() {
    assertThat(REPORTS.stream().map(Report::traceHash).distinct()).hasSize(SEEDS);
  }

  @Test
  void lookingDoesNotChangeWhatHappens() {
    List<String> lines = new ArrayList<>();
    Report watched = new Simulation(MINUTE, Parts.HONEST, false, lines::add).run(3);
    assertThat(watched.traceHash()).isEqualTo(REPORTS.get(2).traceHash());
    assertThat(lines).hasSize((int) watched.events());
  }

  @Test
  void everyRefusalAndEveryOutcomeIsSeen() {
    Map<String, Long> tally = tally();
    for (Refusal refusal : Refusal.values()) {
      assertThat(tally.keySet()).anyMatch(what -> what.contains(" " + refusal));
    }
    for (String outcome :
        List.of(
            "Executed", "Acknowledged", "Abandoned", "NoRecordSince", "NeverSeen", "NoSession")) {
      assertThat(tally).containsKey("Outcome " + outcome);
    }
    assertThat(tally)
        .containsKeys(
            "AbandonKey Abandoned",
            "AbandonKey FORGOTTEN",
            "AbandonSequence Abandoned",
            "Alias Done",
            "Close SUPERSEDED",
            "Digest RESTORED",
            "Forget Forgot",
            "ForgetByAge Forgot",
            "InSession OVERLOADED principal bytes",
            "InSession replay FAILED",
            "InSession replay REPLY_TOO_LARGE",
            "Keyed FORGOTTEN",
            "Keyed replay BUSINESS_ERROR",
            "Open NO_SESSION",
            "Open OVERLOADED sessions per principal",
            "Open SUPERSEDED",
            "SetParameter Rejected");
  }

  @Test
  void everyLimitOfTheDoorIsMet() {
    assertThat(tally())
        .containsKeys(
            "Door MALFORMED",
            "Door NotLeader",
            "Door OVERLOADED bytes in flight",
            "Door OVERLOADED requests in flight on a connection",
            "Door OVERLOADED table bytes",
            "Door TOO_LARGE command",
            "Door Unavailable",
            "Door Unknown");
  }

  @Test
  void theLibraryComesToEveryEnd() {
    assertThat(tally())
        .containsKeys(
            "Library ends Closed",
            "Library ends Left",
            "Library ends Lost NO_SESSION",
            "Library ends Lost SUPERSEDED",
            "Library ends NotOpened",
            "Library hands back the rest",
            "Library hands back undecided",
            "Library tells ABANDONED",
            "Library tells MISMATCH",
            "Library tells TOO_LARGE command",
            "Library tells replay OK",
            "Library tells reply OK");
  }

  private static Map<String, Long> tally() {
    Map<String, Long> tally = new TreeMap<>();
    for (Report report : REPORTS) {
      report.tally().forEach((what, count) -> tally.merge(what, count, Long::sum));
    }
    return tally;
  }

  @Test
  void hoursArePassedOver() {
    assertThat(REPORTS).anyMatch(report -> report.skippedMillis() > 60 * MINUTE);
  }
}
