package io.onceward.torture.disk;

import io.onceward.torture.Tool;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An ext4 file system in a file. Losing power is the kernel's own shutdown of a file system, which
 * forgets whatever is not on disk; mounting it again replays its journal, as after a real cut.
 */
public final class LoopDisk implements Disk {
  /** The name begins the mount point's, so that leftovers can be told. */
  private static final String PREFIX = "onceward-disk-";

  private static final long BYTES = 2L << 30;
  private static final long KEPT_FREE = 1L << 20;

  private final Path image;
  private final Path mount;
  private final Path ballast;

  private LoopDisk(Path image, Path mount) {
    this.image = image;
    this.mount = mount;
    this.ballast = mount.resolve("ballast");
  }

  /** Makes one, for a node, in a folder of the run. */
  public static LoopDisk create(Path folder, String node) throws IOException {
    String name = PREFIX + ProcessHandle.current().pid() + "-" + node;
    LoopDisk disk = new LoopDisk(folder.resolve(name + ".img"), folder.resolve(name));
    try (RandomAccessFile file = new RandomAccessFile(disk.image.toFile(), "rw")) {
      // Sparse: it takes only what is written.
      file.setLength(BYTES);
    }
    Tool.run("mkfs.ext4", "-q", "-F", "-m", "0", "-E", "nodiscard", disk.image.toString());
    Files.createDirectory(disk.mount);
    disk.powerOn();
    return disk;
  }

  /** Whether this process may mount, and the machine can cut a file system's power. */
  public static boolean possible(Path folder) {
    if (!Tool.exists("mkfs.ext4") || !Tool.exists("xfs_io") || !Tool.exists("mount")) {
      return false;
    }
    try (LoopDisk probe = create(folder, "probe")) {
      probe.powerOff();
      probe.powerOn();
      Files.delete(probe.image);
      return true;
    } catch (IOException cannot) {
      return false;
    }
  }

  /** Unmounts what processes left behind that were killed. */
  public static void removeLeftovers() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/mounts"))) {
      String[] words = line.split(" ", -1);
      String name = words.length > 1 ? Path.of(words[1]).getFileName() + "" : "";
      if (name.startsWith(PREFIX)) {
        String owner = name.substring(PREFIX.length()).split("-", -1)[0];
        if (!Files.exists(Path.of("/proc", owner))) {
          Tool.tryTo("umount", words[1]);
        }
      }
    }
  }

  @Override
  public Path data() {
    return mount.resolve("data");
  }

  @Override
  public boolean isReal() {
    return true;
  }

  @Override
  public void powerOff() throws IOException {
    Tool.run("xfs_io", "-x", "-c", "shutdown", mount.toString());
  }

  @Override
  public void powerOn() throws IOException {
    if (isMounted()) {
      Tool.run("umount", mount.toString());
    }
    Tool.run("mount", "-o", "loop,noatime", image.toString(), mount.toString());
  }

  private boolean isMounted() throws IOException {
    return Files.readString(Path.of("/proc/mounts")).contains(" " + mount + " ");
  }

  @Override
  public void fill() throws IOException {
    long free = mount.toFile().getUsableSpace();
    Tool.run("fallocate", "-l", Long.toString(Math.max(1, free - KEPT_FREE)), ballast.toString());
  }

  @Override
  public void makeRoom() throws IOException {
    Files.deleteIfExists(ballast);
  }

  /** The image stays in the folder of the run: who looks for a cause mounts it again. */
  @Override
  public void close() throws IOException {
    for (int i = 0; i < 20 && isMounted(); i++) {
      // A process that was just killed may hold it a moment longer.
      if (!Tool.tryTo("umount", mount.toString()) && i == 19) {
        Tool.tryTo("umount", "-l", mount.toString());
      }
    }
    Files.deleteIfExists(mount);
  }
}
