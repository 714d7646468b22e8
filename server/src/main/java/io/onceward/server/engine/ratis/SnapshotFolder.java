package io.onceward.server.engine.ratis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of this node: one file each, with its MD5 beside it as Ratis wants it, the two
 * newest ones kept. A file that bears the name of a snapshot is complete and synced. Two are kept
 * so that damage to one is no loss; the log reaches back to the older one (see {@link
 * SnapshotWriter}).
 */
final class SnapshotFolder implements StateMachineStorage {
  private static final int KEPT = 2;
  private static final Pattern NAME = Pattern.compile("snapshot\\.(\\d+)_(\\d+)");

  private volatile @Nullable Path root;
  private volatile @Nullable SingleFileSnapshotInfo latest;
  private final List<String> damaged = new ArrayList<>();
  private long newestDamagedIndex = -1;

  @Override
  public void init(RaftStorage storage) {
    root = storage.getStorageDir().getRoot().toPath();
  }

  /**
   * Puts right what a crash may have left behind. Ratis installs a received snapshot by moving the
   * whole folder of snapshots away ({@code sm.tmp…}) and the received one into its place: between
   * the two there is no folder, and the one that was moved away is still the truth.
   */
  void repair() throws IOException {
    Path folder = folder();
    for (Path sibling : Disk.list(root())) {
      if (!String.valueOf(sibling.getFileName()).startsWith("sm.tmp")) {
        continue;
      }
      if (Files.isDirectory(folder)) {
        Disk.deleteAll(sibling);
      } else {
        Files.move(sibling, folder, StandardCopyOption.ATOMIC_MOVE);
      }
    }
    Files.createDirectories(folder);
    Disk.deleteAll(root().resolve("tmp"));
    for (Path file : Disk.list(folder)) {
      if (String.valueOf(file.getFileName()).endsWith(".draft")) {
        Files.delete(file);
      }
    }
    Disk.sync(root());
  }

  /**
   * Finds the newest snapshot whose bytes are as they were written, and makes it the latest one.
   * The folder is this process's alone, and nothing is written to it meanwhile.
   */
  void open() throws IOException {
    damaged.clear();
    newestDamagedIndex = -1;
    latest = null;
    for (SingleFileSnapshotInfo snapshot : newestFirst()) {
      Path file = snapshot.getFile().getPath();
      if (snapshot.hasMd5()
          && MD5FileUtil.computeMd5ForFile(file.toFile())
              .equals(snapshot.getFile().getFileDigest())) {
        latest = snapshot;
        return;
      }
      damaged.add(file.toString());
      newestDamagedIndex = Math.max(newestDamagedIndex, snapshot.getIndex());
    }
  }

  /** Files that were newer than the latest snapshot when it was chosen, but damaged. */
  List<String> damaged() {
    return List.copyOf(damaged);
  }

  /** How far a damaged snapshot reached; -1 if none is damaged. */
  long newestDamagedIndex() {
    return newestDamagedIndex;
  }

  @Override
  public @Nullable SingleFileSnapshotInfo getLatestSnapshot() {
    return latest;
  }

  /** The index of the latest snapshot; -1 if there is none. */
  long latestIndex() {
    SingleFileSnapshotInfo snapshot = latest;
    return snapshot == null ? -1 : snapshot.getIndex();
  }

  /** Where a snapshot is written before it is complete. */
  Path draft(TermIndex at) {
    return folder().resolve(name(at) + ".draft");
  }

  /**
   * Gives a complete and synced draft its name, makes it the latest snapshot, and drops those that
   * are not needed any more.
   *
   * @return the index up to which the log is not needed by any snapshot; -1 if all of it is
   */
  long publish(TermIndex at, byte[] md5) throws IOException {
    Path folder = folder();
    Path file = folder.resolve(name(at));
    MD5Hash digest = MD5Hash.newInstance(md5);
    // First, so that there is no moment at which a snapshot has no digest.
    MD5FileUtil.saveMD5File(file.toFile(), digest);
    Files.move(draft(at), file, StandardCopyOption.ATOMIC_MOVE);
    Disk.sync(folder);
    latest = new SingleFileSnapshotInfo(new FileInfo(file, digest), at);
    return dropOld();
  }

  /** Makes a received snapshot durable; Ratis puts it in place next, and then drops its log. */
  void syncReceived() throws IOException {
    Disk.syncAll(root().resolve("tmp"));
  }

  private long dropOld() throws IOException {
    int kept = 0;
    long oldestKept = -1;
    for (SingleFileSnapshotInfo snapshot : newestFirst()) {
      Path file = snapshot.getFile().getPath();
      boolean sound = snapshot.hasMd5() && !damaged.contains(file.toString());
      if (sound && kept < KEPT) {
        kept++;
        oldestKept = snapshot.getIndex();
      } else {
        Files.deleteIfExists(file);
        Files.deleteIfExists(MD5FileUtil.getDigestFileForFile(file.toFile()).toPath());
      }
    }
    return kept < KEPT ? -1 : oldestKept;
  }

  private List<SingleFileSnapshotInfo> newestFirst() throws IOException {
    List<SingleFileSnapshotInfo> snapshots = new ArrayList<>();
    for (Path file : Disk.list(folder())) {
      Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
      if (name.matches()) {
        snapshots.add(
            new SingleFileSnapshotInfo(
                new FileInfo(file, digest(file)),
                Long.parseLong(name.group(1)),
                Long.parseLong(name.group(2))));
      }
    }
    snapshots.sort((a, b) -> Long.compare(b.getIndex(), a.getIndex()));
    return snapshots;
  }

  @SuppressWarnings("NullAway") // Ratis takes no digest for null
  private static MD5Hash digest(Path file) {
    try {
      return MD5FileUtil.readStoredMd5ForFile(file.toFile());
    } catch (IOException unreadable) {
      return null;
    }
  }

  private static String name(TermIndex at) {
    return "snapshot." + at.getTerm() + "_" + at.getIndex();
  }

  private Path folder() {
    return root().resolve("sm");
  }

  private Path root() {
    Path known = root;
    if (known == null) {
      throw new IllegalStateException("the storage is not initialized");
    }
    return known;
  }

  @Override
  public void format() {}

  /** Done when a snapshot is published. */
  @Override
  public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) {}
}
