package io.onceward.testkit.teeth;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.testkit.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TeethTest {
  private static final long MINUTE = 60_000;
  private static final int MOST_SEEDS = 200;
  private static final TreeMap<PlantedBug, String> CATCHERS = new TreeMap<>();

  @ParameterizedTest
  @EnumSource
  void theNamedInvariantsCatch(PlantedBug bug) {
    Teeth.Bite bite = new Teeth(MINUTE, MOST_SEEDS, false).bite(bug);
    assertThat(bite.caught()).as(bite.whatHappened()).isTrue();
    CATCHERS.put(bug, String.valueOf(bite.invariant()));
  }

  @AfterAll
  static void manyInvariantsHaveTeeth() {
    if (CATCHERS.size() == PlantedBug.values().length) {
      assertThat(new TreeSet<>(CATCHERS.values()).size()).isGreaterThan(12);
    }
  }

  @Test
  void docsSayHowManyThereAre() throws IOException {
    assertThat(Files.readString(Path.of("..", "docs", "testing.md")))
        .contains("; " + PlantedBug.values().length + " planted mistakes are caught |");
  }

  @Test
  void theModelCatchesWhatChangesADecision() {
    Simulation simulation =
        new Simulation(MINUTE, PlantedBug.RETRY_VALIDATED_AGAIN.parts(), true, null);
    assertThat(simulation.run(1).broken()).isIn("DecidedAsTheSpecSays", "RepliesNeverDiffer");
  }
}
