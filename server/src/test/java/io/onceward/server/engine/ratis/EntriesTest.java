package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries are applied in the order of the log, everywhere, and each handle comes back once. */
class EntriesTest {
  @TempDir Path root;

  @Test
  void entriesOfOneSubmitterAreAppliedInOrderEverywhereAndHandlesComeBackHere() throws Exception {
    try (TestCluster cluster = TestCluster.patient(root, 3)) {
      TestCluster.Node leader = cluster.leader();
      List<String> submitted = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        submitted.add("entry " + i);
        leader.submit("entry " + i, i);
      }
      TestCluster.await("all fates", () -> leader.machine.fates.size() == 500);
      cluster.awaitAgreement();
      for (TestCluster.Node node : cluster.nodes.values()) {
        assertThat(node.machine.entries()).isEqualTo(submitted);
        assertThat(node.machine.applied().get(0).position()).isGreaterThanOrEqualTo(1);
      }
      assertThat(leader.machine.fates.values()).allMatch(fate -> fate.equals(List.of("applied")));
      assertThat(cluster.followers())
          .allSatisfy(follower -> assertThat(follower.machine.fates).isEmpty());
    }
  }
}
