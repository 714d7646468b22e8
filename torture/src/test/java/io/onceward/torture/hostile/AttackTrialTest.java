package io.onceward.torture.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.torture.teeth.PlantedBug;
import io.onceward.torture.teeth.Teeth;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attacks are hard enough to show the mistake that they are there for. */
@Tag("processes")
@Timeout(300)
class AttackTrialTest {
  @TempDir private Path folder;

  @Test
  void acknowledgementsOfEveryCopyAreNoticed() throws Exception {
    Teeth.Catch caught =
        Teeth.hunt(
            PlantedBug.ACKNOWLEDGED_WITH_EVERY_COPY,
            1,
            () -> Files.createTempDirectory(folder, "node"),
            line -> {});
    assertThat(caught.found()).as(caught.what()).isTrue();
  }
}
