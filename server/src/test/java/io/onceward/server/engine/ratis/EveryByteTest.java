package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorageDirectory;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every byte of what a node writes, damaged one at a time: a bit flipped, all its bits flipped, the
 * file cut off before it. Nothing that is damaged is ever read as if it were not (L4).
 */
class EveryByteTest {
  private static final int MAX_ENTRY_BYTES = 1 << 20;

  @TempDir static Path template;
  private static Path log;
  private static Path snapshots;

  @TempDir Path root;

  /** A node with a closed and an open file of its log, and a snapshot. */
  @BeforeAll
  static void prepare() throws Exception {
    try (TestCluster cluster = TestCluster.of(template, 1)) {
      TestCluster.Node node = cluster.leader();
      cluster.applyAll("first ", 4);
      node.engine.takeSnapshot().get(10, TimeUnit.SECONDS);
      cluster.stop(node);
      cluster.start(node);
      cluster.applyAll("second ", 4);
      cluster.apply("last " + "x".repeat(700));
    }
    log = only("raft-meta.conf").getParent();
    snapshots = only("snapshot.").getParent();
  }

  private static Path only(String prefix) throws IOException {
    try (Stream<Path> files = Files.walk(template)) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith(prefix))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Something that happens to a file at one place. */
  private enum Damage {
    ONE_BIT,
    ALL_BITS,
    CUT_OFF;

    byte[] to(byte[] whole, int at) {
      if (this == CUT_OFF) {
        return Arrays.copyOf(whole, at);
      }
      byte[] damaged = whole.clone();
      damaged[at] ^= (byte) (this == ALL_BITS ? 0xff : 1 << at % 8);
      return damaged;
    }
  }

  @Test
  void noByteOfAFileOfTheLogIsReadOtherwiseThanItWasWritten() throws Exception {
    copy(log);
    List<LogEntryProto> written = entries();
    assertThat(written).hasSizeGreaterThan(10);
    List<Path> files = logFiles();
    assertThat(files).hasSize(2);
    for (Path file : files) {
      byte[] whole = Files.readAllBytes(file);
      for (int at = 0; at < whole.length; at++) {
        for (Damage damage : List.of(Damage.ONE_BIT, Damage.ALL_BITS)) {
          Files.write(file, damage.to(whole, at));
          String where = file.getFileName() + " byte " + at + " " + damage;
          if (!isNamed(where)) {
            // Behind the last entry there is nothing that could be lost.
            assertThat(entries()).as(where).isEqualTo(written);
          }
          copy(log);
        }
      }
    }
  }

  /**
   * A file that ends between two entries looks as if the later ones had never been written; all
   * other cuts are noticed, or taken for the entry that a crash left unfinished.
   */
  @Test
  void aLogThatIsCutOffAnywhereHasNoEntryThatWasNotWritten() throws Exception {
    copy(log);
    List<LogEntryProto> written = entries();
    for (Path file : logFiles()) {
      boolean closed = !String.valueOf(file.getFileName()).contains("inprogress");
      byte[] whole = Files.readAllBytes(file);
      int unnoticed = 0;
      for (int at = 0; at < whole.length; at++) {
        Files.write(file, Damage.CUT_OFF.to(whole, at));
        String where = file.getFileName() + " cut off at byte " + at;
        if (!isNamed(where)) {
          assertThat(closed).as(where + ", and another file follows").isFalse();
          List<LogEntryProto> left = entries();
          assertThat(left).as(where).isEqualTo(written.subList(0, left.size()));
          unnoticed++;
        }
        copy(log);
      }
      assertThat(unnoticed).as("unnoticed in " + file.getFileName()).isLessThan(20);
    }
  }

  @Test
  void noSnapshotIsTakenWhoseBytesAreNotThoseThatWereWritten() throws Exception {
    List<Path> files = list(snapshots);
    assertThat(files).hasSize(2);
    byte[] written = Files.readAllBytes(snapshotIn(snapshots));
    for (Path original : files) {
      byte[] whole = Files.readAllBytes(original);
      for (int at = 0; at < whole.length; at++) {
        for (Damage damage : Damage.values()) {
          copy(snapshots);
          Path file = root.resolve("sm").resolve(original.getFileName());
          Files.write(file, damage.to(whole, at));
          String where = file.getFileName() + " byte " + at + " " + damage;
          SnapshotFolder folder = new SnapshotFolder();
          folder.init(storage());
          folder.open();
          SingleFileSnapshotInfo taken = folder.getLatestSnapshot();
          if (taken == null) {
            assertThat(folder.damaged()).as(where).hasSize(1);
          } else {
            assertThat(Files.readAllBytes(taken.getFile().getPath())).as(where).isEqualTo(written);
          }
        }
      }
    }
  }

  private static Path snapshotIn(Path folder) throws IOException {
    return list(folder).stream()
        .filter(file -> !file.toString().endsWith(".md5"))
        .findFirst()
        .orElseThrow();
  }

  /** True if the damage was named; false if the log was taken as it is. */
  private boolean isNamed(String where) throws IOException {
    try {
      LogInspection.of(root.resolve("current"), MAX_ENTRY_BYTES);
      return false;
    } catch (PlainException named) {
      assertThat(named).as(where).hasMessageContaining("the log is damaged: ");
      assertThat(named).as(where).hasMessageContaining(root.resolve("current").toString());
      assertThat(named).as(where).hasMessageContaining("at byte");
      return true;
    }
  }

  private List<Path> logFiles() throws IOException {
    return list(root.resolve("current")).stream()
        .filter(file -> String.valueOf(file.getFileName()).startsWith("log_"))
        .sorted((a, b) -> Boolean.compare(isOpen(a), isOpen(b)))
        .toList();
  }

  private static boolean isOpen(Path file) {
    return file.toString().contains("inprogress");
  }

  private List<LogEntryProto> entries() throws IOException {
    List<LogEntryProto> entries = new ArrayList<>();
    for (Path path : logFiles()) {
      try (LogFile file = LogFile.open(path, MAX_ENTRY_BYTES)) {
        for (LogFile.Found found = file.next();
            found.kind() == LogFile.Kind.ENTRY;
            found = file.next()) {
          entries.add(found.entry());
        }
      }
    }
    return entries;
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private void copy(Path folder) throws IOException {
    Path to = Files.createDirectories(root.resolve(folder.getFileName()));
    for (Path old : list(to)) {
      Files.delete(old);
    }
    for (Path file : list(folder)) {
      Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** As much of Ratis' storage as a folder of snapshots asks for: where it is. */
  private RaftStorage storage() {
    RaftStorageDirectory directory =
        (RaftStorageDirectory)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RaftStorageDirectory.class},
                (proxy, method, arguments) -> root.toFile());
    return (RaftStorage)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {RaftStorage.class},
            (proxy, method, arguments) -> directory);
  }
}
