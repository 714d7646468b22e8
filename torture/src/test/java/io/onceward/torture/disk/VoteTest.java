package io.onceward.torture.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.torture.teeth.PlantedBug;
import io.onceward.torture.teeth.Teeth;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that has voted and loses its power has still voted. */
@Timeout(120)
class VoteTest {
  @TempDir private Path folder;

  @BeforeEach
  void powerCanBeCut() {
    if (!LoopDisk.possible(folder)) {
      String why = "SKIPPED: disks that lose their power need root, mkfs.ext4 and xfs_io";
      System.err.println(why);
      Assumptions.abort(why);
    }
  }

  @Test
  void voteSurvivesAPowerCut() throws Exception {
    VoteTrial.Vote vote = VoteTrial.play(folder, List.of());
    assertThat(vote.kept()).isEqualTo(vote.given()).isEqualTo("n1 in term 7");
  }

  @Test
  void voteThatIsNotSyncedIsMissed() throws Exception {
    Teeth.Catch caught = Teeth.hunt(PlantedBug.VOTES_NOT_SYNCED, 1, () -> folder, line -> {});
    assertThat(caught.found()).as(caught.what()).isTrue();
  }
}
