package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.wire.Member;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is damaged is named and not used (L4); what a crash leaves behind is put right. */
class DamageTest {
  private static final String LONG = "x".repeat(3000);

  @TempDir static Path template;
  private static Member member;

  @TempDir Path root;

  /** A node that has stopped, with entries in two files of its log; each test gets a copy. */
  @BeforeAll
  static void prepare() throws Exception {
    try (TestCluster cluster = TestCluster.of(template, 1)) {
      TestCluster.Node node = cluster.leader();
      member = node.member;
      cluster.applyAll("first ", 10);
      cluster.stop(node);
      cluster.start(node);
      cluster.applyAll("second ", 10);
      cluster.apply("last " + LONG);
    }
  }

  private TestCluster stoppedNode() throws Exception {
    TestCluster cluster = new TestCluster(root, List.of(member), settings -> settings);
    try (Stream<Path> paths = Files.walk(template.resolve("n1"))) {
      for (Path path : paths.toList()) {
        Files.copy(path, root.resolve(template.relativize(path)));
      }
    }
    return cluster;
  }

  private static Path file(TestCluster.Node node, String prefix) throws IOException {
    try (Stream<Path> files = Files.walk(node.folder)) {
      List<Path> found =
          files
              .filter(file -> String.valueOf(file.getFileName()).startsWith(prefix))
              .filter(file -> !file.toString().endsWith(".md5"))
              .sorted(
                  Comparator.comparing((Path file) -> file.toString().length())
                      .thenComparing(Path::toString))
              .toList();
      return found.get(found.size() - 1);
    }
  }

  private static void flip(Path file, long offset) throws IOException {
    flip(file, offset, 0x04);
  }

  private static void flip(Path file, long offset, int bit) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(offset);
      int before = bytes.read();
      bytes.seek(offset);
      bytes.write(before ^ bit);
    }
  }

  private static long indexOf(Path file, String text) throws IOException {
    String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    int found = content.lastIndexOf(text);
    assertThat(found).isPositive();
    return found;
  }

  private void assertRefused(TestCluster cluster, Path file) {
    TestCluster.Node node = cluster.node("n1");
    assertThatThrownBy(() -> cluster.start(node))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the log is damaged: " + file)
        .hasMessageContaining("at byte");
    assertThat(node.machine.applied()).isEmpty();
  }

  @Test
  void aFlippedBitInAClosedFileOfTheLogIsNamed() throws Exception {
    try (TestCluster cluster = stoppedNode()) {
      Path closed = file(cluster.node("n1"), "log_0-");
      flip(closed, indexOf(closed, "first 5"));
      assertRefused(cluster, closed);
    }
  }

  @Test
  void aFlippedBitAmongTheEntriesOfTheOpenFileIsNamed() throws Exception {
    try (TestCluster cluster = stoppedNode()) {
      Path open = file(cluster.node("n1"), "log_inprogress");
      flip(open, indexOf(open, "second 5"));
      assertRefused(cluster, open);
    }
  }

  @Test
  void aFlippedBitInTheLastEntryIsNamedThoughNothingFollows() throws Exception {
    try (TestCluster cluster = stoppedNode()) {
      Path open = file(cluster.node("n1"), "log_inprogress");
      flip(open, indexOf(open, "last ") + 700);
      assertRefused(cluster, open);
    }
  }

  @Test
  void aFlippedBitInTheLengthOfTheLastEntryIsNoCrash() throws Exception {
    try (TestCluster cluster = stoppedNode()) {
      Path open = file(cluster.node("n1"), "log_inprogress");
      lengthenEntry(open);
      assertRefused(cluster, open);
    }
  }

  @Test
  void aFlippedBitInTheLengthIsNoCrashEitherIfTheFileGoesOnWithZeros() throws Exception {
    try (TestCluster cluster = stoppedNode()) {
      Path open = file(cluster.node("n1"), "log_inprogress");
      lengthenEntry(open);
      lengthen(open, 1 << 20);
      assertRefused(cluster, open);
    }
  }

  @Test
  void damageThatShowsOnlyWhenAFollowerNeedsAnOldEntryStopsTheLeader() throws Exception {
    try (TestCluster cluster =
        TestCluster.of(root, 3, settings -> settings.withSizes(1 << 16, 1 << 12))) {
      cluster.apply("a");
      TestCluster.Node away = cluster.followers().get(0);
      cluster.stop(away);
      cluster.applyAll("an entry of some length, so that there are many files of the log ", 200);
      TestCluster.Node leader = cluster.leader();
      List<String> files = SnapshotTest.files(leader.folder, "log_");
      Path old = file(leader, files.get(files.size() / 2));
      flip(old, indexOf(old, "some length"));
      cluster.start(away);
      TestCluster.await("its end", () -> !leader.machine.failures.isEmpty());
      assertThat(leader.machine.failures.get(0).what())
          .startsWith("the log is damaged: an entry for " + away.member.id());
      cluster.stop(leader);
      cluster.apply("then");
      cluster.awaitAgreement();
    }
  }

  @Test
  void anEntryThatWasNeverFinishedIsDropped() throws Exception {
    try (TestCluster cluster = stoppedNode()) {
      TestCluster.Node node = cluster.node("n1");
      Path open = file(node, "log_inprogress");
      long cut = (startOfLast(open) / 512 + 3) * 512;
      long size = Files.size(open);
      assertThat(cut).isLessThan(size);
      try (RandomAccessFile bytes = new RandomAccessFile(open.toFile(), "rw")) {
        bytes.setLength(cut);
        bytes.setLength(1 << 20);
      }
      cluster.start(node);
      cluster.apply("then");
      assertThat(node.machine.entries())
          .hasSize(21)
          .startsWith("first 0")
          .endsWith("second 9", "then");
    }
  }

  @Test
  void aFileThatWasJustMadeIsNoDamage() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node node = cluster.leader();
      cluster.apply("a");
      long next = node.engine.status().committed() + 1;
      cluster.stop(node);
      Path open = file(node, "log_inprogress");
      Files.move(open, open.resolveSibling("log_0-" + (next - 1)));
      Files.write(open.resolveSibling("log_inprogress_" + next), new byte[1 << 16]);
      cluster.start(node);
      cluster.apply("b");
      assertThat(node.machine.entries()).containsExactly("a", "b");
    }
  }

  @Test
  void aFileThatWasShortenedButNotRenamedGetsItsName() throws Exception {
    try (TestCluster cluster = stoppedNode()) {
      TestCluster.Node node = cluster.node("n1");
      Path closed = file(node, "log_0-");
      Files.delete(file(node, "log_inprogress"));
      long end = startOf(closed, "first 7");
      try (RandomAccessFile bytes = new RandomAccessFile(closed.toFile(), "rw")) {
        bytes.setLength(end);
      }
      cluster.start(node);
      cluster.apply("then");
      assertThat(node.machine.entries()).hasSize(8).endsWith("first 6", "then");
    }
  }

  @Test
  void aTermThatWasForgottenIsTakenFromTheLog() throws Exception {
    try (TestCluster cluster = stoppedNode()) {
      TestCluster.Node node = cluster.node("n1");
      Files.writeString(
          file(node, "raft-meta").resolveSibling("raft-meta"), "term=1\nvotedFor=n1\n");
      cluster.start(node);
      cluster.apply("then");
      assertThat(node.machine.entries()).hasSize(22);
      assertThat(node.machine.leadingTerm).isEqualTo(3);
    }
  }

  @Test
  void anUnreadableListOfMembersIsNamed() throws Exception {
    try (TestCluster cluster = stoppedNode()) {
      Path list = file(cluster.node("n1"), "raft-meta.conf");
      Files.write(list, new byte[] {1, 2, 3});
      assertRefused(cluster, list);
    }
  }

  @Test
  void aMissingFileOfTheLogIsNamed() throws Exception {
    try (TestCluster cluster = stoppedNode()) {
      TestCluster.Node node = cluster.node("n1");
      Files.delete(file(node, "log_0-"));
      assertThatThrownBy(() -> cluster.start(node))
          .hasMessageContaining("begins at position")
          .hasMessageContaining("there is no snapshot of what came before");
    }
  }

  @Test
  void ofTwoSnapshotsTheOlderOneHelpsIfTheNewerOneIsDamaged() throws Exception {
    try (TestCluster cluster =
        TestCluster.of(
            root,
            1,
            settings ->
                settings.withSnapshots(1_000_000, 1L << 40, 0).withSizes(1 << 16, 1 << 12))) {
      SnapshotTest.growAndPurge(cluster);
      TestCluster.Node node = cluster.leader();
      cluster.applyAll("then ", 5);
      List<Recorder.Applied> before = node.machine.applied();
      cluster.stop(node);
      Path newer = file(node, "snapshot.");
      flip(newer, Files.size(newer) / 2);
      cluster.start(node);
      TestCluster.await("replay", () -> node.machine.applied().equals(before));
      assertThat(node.machine.restored).hasSize(1);
      node.engine.takeSnapshot().get(10, TimeUnit.SECONDS);
      assertThat(Files.exists(newer)).isFalse();
      cluster.stop(node);
      for (String name : SnapshotTest.files(node.folder, "snapshot.")) {
        Path snapshot = file(node, name);
        flip(snapshot, Files.size(snapshot) / 2);
      }
      assertThatThrownBy(() -> cluster.start(node))
          .hasMessageContaining("the snapshot of what came before is damaged")
          .hasMessageContaining("snapshot.");
    }
  }

  /** As after the installation of a snapshot: nothing follows it in the log. */
  @Test
  void aDamagedSnapshotThatNothingFollowsIsNotForgotten() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node node = cluster.leader();
      cluster.applyAll("a", 5);
      node.engine.takeSnapshot().get(10, TimeUnit.SECONDS);
      cluster.stop(node);
      for (String name : SnapshotTest.files(node.folder, "log_")) {
        Files.delete(file(node, name));
      }
      Path snapshot = file(node, "snapshot.");
      flip(snapshot, Files.size(snapshot) / 2);
      assertThatThrownBy(() -> cluster.start(node))
          .hasMessageContaining("is damaged")
          .hasMessageContaining(snapshot.toString())
          .hasMessageContaining("Remove this member");
    }
  }

  @Test
  void anInstallationThatWasInterruptedIsUndone() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node node = cluster.leader();
      cluster.applyAll("a", 5);
      node.engine.takeSnapshot().get(10, TimeUnit.SECONDS);
      cluster.stop(node);
      Path folder = file(node, "snapshot.").getParent();
      Files.move(folder, folder.resolveSibling("sm.tmp20260101"));
      Files.createDirectories(folder.resolveSibling("tmp/snapshot-x/"));
      cluster.start(node);
      cluster.apply("b");
      assertThat(node.machine.restored).hasSize(1);
      assertThat(node.machine.entries()).hasSize(6);
      assertThat(Files.exists(folder.resolveSibling("tmp/snapshot-x/"))).isFalse();
    }
  }

  @Test
  void aMachineThatCannotLoadTheSnapshotSaysSo() throws Exception {
    try (TestCluster cluster = TestCluster.of(root, 1)) {
      TestCluster.Node node = cluster.leader();
      cluster.apply("a");
      node.engine.takeSnapshot().get(10, TimeUnit.SECONDS);
      cluster.stop(node);
      Recorder picky =
          new Recorder() {
            @Override
            public synchronized void restore(InputStream in) throws IOException {
              throw new IOException("there is no service \"ledger\"");
            }
          };
      assertThatThrownBy(() -> RatisEngine.start(cluster.settings(node), picky, engine -> {}))
          .hasMessageContaining("snapshot.")
          .hasMessageContaining("cannot be loaded: there is no service \"ledger\"");
    }
  }

  /** Makes the last entry, of 3 KiB and something, claim 1 KiB more: bit 3 of its second byte. */
  private static void lengthenEntry(Path file) throws IOException {
    long second = startOfLast(file) + 1;
    assertThat(Files.readAllBytes(file)[(int) second] & 0x08).isZero();
    flip(file, second, 0x08);
  }

  private static void lengthen(Path file, long length) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.setLength(length);
    }
  }

  private static long startOfLast(Path file) throws IOException {
    return startOf(file, "last ");
  }

  /** Where the entry with this text begins: a file is its header and then entry after entry. */
  private static long startOf(Path path, String text) throws IOException {
    try (LogFile file = LogFile.open(path, 1 << 20)) {
      for (LogFile.Found found = file.next();
          found.kind() == LogFile.Kind.ENTRY;
          found = file.next()) {
        if (found.entry().getStateMachineLogEntry().getLogData().toStringUtf8().startsWith(text)) {
          return found.offset();
        }
      }
    }
    throw new IllegalStateException(text + " is not in " + path);
  }
}
