package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.server.engine.EngineSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {
  @TempDir Path root;

  private static EngineSettings small(EngineSettings settings) {
    return settings.withSnapshots(1_000_000, 1L << 40, 0).withSizes(1 << 16, 1 << 12);
  }

  static List<String> files(Path folder, String prefix) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.startsWith(prefix) && !name.endsWith(".md5"))
          .sorted()
          .toList();
    }
  }

  @Test
  void aNodeThatComesBackLoadsItsSnapshotAndReplaysTheRest() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node node = cluster.leader();
      cluster.applyAll("a", 30);
      long position = node.engine.takeSnapshot().get(10, TimeUnit.SECONDS);
      assertThat(position).isEqualTo(node.machine.position());
      assertThat(node.engine.status().snapshotPosition()).isEqualTo(position);
      cluster.applyAll("b", 10);
      List<Recorder.Applied> before = node.machine.applied();
      cluster.stop(node);
      cluster.start(node);
      TestCluster.await("replay", () -> node.machine.applied().equals(before));
      assertThat(node.machine.restored).containsExactly(position);
    }
  }

  @Test
  void aSnapshotThatIsAskedForFromWithinTheMachineHoldsWhatItsNameSays() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node node = cluster.leader();
      cluster.applyAll("a", 5);
      AtomicReference<CompletableFuture<Long>> asked = new AtomicReference<>();
      node.machine.afterApply =
          entry -> {
            if (entry.equals("now")) {
              asked.set(node.engine.takeSnapshot());
            }
          };
      cluster.apply("now");
      long position = asked.get().get(10, TimeUnit.SECONDS);
      cluster.applyAll("b", 5);
      List<Recorder.Applied> before = node.machine.applied();
      cluster.stop(node);
      cluster.start(node);
      TestCluster.await("replay", () -> node.machine.applied().equals(before));
      assertThat(node.machine.restored).containsExactly(position);
    }
  }

  @Test
  void asLongAsNothingIsAppliedThereIsNoNewSnapshot() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      cluster.apply("a");
      TestCluster.Node node = cluster.leader();
      long first = node.engine.takeSnapshot().get(10, TimeUnit.SECONDS);
      assertThat(node.engine.takeSnapshot().get(10, TimeUnit.SECONDS)).isEqualTo(first);
      assertThat(files(node.folder, "snapshot.")).hasSize(1);
    }
  }

  @Test
  void snapshotsComeByThemselvesAndTwoAreKeptAndTheLogIsPurged() throws Exception {
    try (TestCluster cluster =
        TestCluster.of(root, 3, settings -> small(settings).withSnapshots(50, 1L << 40, 10))) {
      cluster.applyAll("a fairly long entry, so that files of the log fill up: ", 400);
      cluster.awaitAgreement();
      for (TestCluster.Node node : cluster.nodes.values()) {
        TestCluster.await(
            "a snapshot",
            () -> {
              // One that was due while the one before it was written comes with the next entry.
              cluster.apply("more " + System.nanoTime());
              return node.engine.status().snapshotPosition() >= 390;
            });
        TestCluster.await(
            "two snapshots",
            () -> {
              try {
                return files(node.folder, "snapshot.").size() == 2
                    && !files(node.folder, "log_").contains("log_0-0");
              } catch (IOException | UncheckedIOException purgedMeanwhile) {
                return false;
              }
            });
      }
    }
  }

  @Test
  void snapshotWaitsForItsTurn() throws Exception {
    try (TestCluster cluster =
        TestCluster.of(root, 1, settings -> settings.withSnapshots(20, 1L << 40, 10))) {
      TestCluster.Node node = cluster.leader();
      node.machine.frozenElsewhere = true;
      cluster.applyAll("a", 30);
      CompletableFuture<Long> asked = node.engine.takeSnapshot();
      cluster.applyAll("b", 5);
      assertThat(asked).isNotDone();
      assertThat(files(node.folder, "snapshot.")).isEmpty();
      node.machine.holdsBack = true;
      node.machine.frozenElsewhere = false;
      long first = asked.get(10, TimeUnit.SECONDS);
      cluster.applyAll("c", 30);
      assertThat(files(node.folder, "snapshot.")).as("held back").hasSize(1);
      node.machine.holdsBack = false;
      cluster.apply("d");
      TestCluster.await("a snapshot", () -> node.engine.status().snapshotPosition() > first);
    }
  }

  @Test
  void applyingGoesOnWhileASnapshotIsWritten() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node node = cluster.leader();
      cluster.applyAll("a", 10);
      CountDownLatch writing = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      node.machine.whileWriting =
          count -> {
            writing.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          };
      CompletableFuture<Long> snapshot = node.engine.takeSnapshot();
      writing.await();
      cluster.applyAll("b", 10);
      long asked = node.machine.position();
      CompletableFuture<Long> later = node.engine.takeSnapshot();
      assertThat(snapshot).isNotDone();
      assertThat(node.engine.status().snapshotPosition()).isZero();
      goOn.countDown();
      long position = snapshot.get(10, TimeUnit.SECONDS);
      assertThat(position).isLessThan(asked);
      assertThat(later.get(10, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(asked);
    }
  }

  @Test
  void aFollowerThatWasAwayTooLongGetsASnapshot() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3, SnapshotTest::small)) {
      cluster.applyAll("one ", 5);
      TestCluster.Node away = cluster.followers().get(0);
      cluster.stop(away);
      growAndPurge(cluster);
      cluster.start(away);
      cluster.awaitAgreement();
      assertThat(away.machine.restored).hasSize(1);
      cluster.applyAll("then ", 5);
      cluster.awaitAgreement();
      assertThat(Files.exists(away.folder.resolve(Peers.GROUP.getUuid() + "/tmp/leftover")))
          .isFalse();
      assertThat(files(away.folder, "snapshot-")).isEmpty();
      assertThat(files(away.folder, "sm.tmp")).isEmpty();
    }
  }

  @Test
  void aWipedFollowerGetsASnapshotAndCanLeadAfterwards() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 3, SnapshotTest::small)) {
      growAndPurge(cluster);
      TestCluster.Node wiped = cluster.followers().get(0);
      cluster.stop(wiped);
      Disk.deleteAll(wiped.folder);
      cluster.start(wiped);
      cluster.awaitAgreement();
      assertThat(wiped.machine.restored).hasSize(1);
      cluster.leader().engine.transferLeadership(wiped.member.id()).get(10, TimeUnit.SECONDS);
      TestCluster.await("the wiped one leads", wiped.machine::leads);
      cluster.applyAll("then ", 5);
      cluster.awaitAgreement();
      cluster.stop(wiped);
      cluster.start(wiped);
      cluster.awaitAgreement();
    }
  }

  /** Leaves a leader with a snapshot, and without the log before it. */
  static void growAndPurge(TestCluster cluster) throws Exception {
    for (int round = 0; round < 2; round++) {
      cluster.applyAll("round " + round + ": a fairly long entry, of which there are many ", 60);
      TestCluster.Node leader = cluster.leader();
      leader.engine.takeSnapshot().get(10, TimeUnit.SECONDS);
      for (TestCluster.Node follower : cluster.followers()) {
        follower.engine.takeSnapshot().get(10, TimeUnit.SECONDS);
      }
    }
    TestCluster.Node leader = cluster.leader();
    TestCluster.await(
        "purge",
        () -> {
          try {
            return files(leader.folder, "log_").stream()
                .noneMatch(name -> name.startsWith("log_0"));
          } catch (IOException | UncheckedIOException purgedMeanwhile) {
            return false;
          }
        });
  }
}
