package io.onceward.torture.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The disk of one node. */
public interface Disk extends Closeable {

  /** The folder for the node's data. */
  Path data();

  /** Whether it can lose its power and be filled. */
  boolean isReal();

  /**
   * Loses power: everything that was written and not synced is gone, and nothing can be written
   * until {@link #powerOn}. The node on it must be killed in between.
   */
  void powerOff() throws IOException;

  /** Comes back with what was synced. */
  void powerOn() throws IOException;

  /** Leaves no room. */
  void fill() throws IOException;

  /** Makes room again. */
  void makeRoom() throws IOException;

  /** Forgets everything. */
  default void wipe() throws IOException {
    if (!Files.exists(data())) {
      return;
    }
    try (Stream<Path> paths = Files.walk(data())) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
