package io.onceward.server.engine.ratis;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What the engine does to files and folders beside reading and writing them. */
final class Disk {
  private Disk() {}

  /**
   * Makes the content of a file, or the names in a folder, survive a loss of power. It goes through
   * with it if the thread is interrupted: Ratis interrupts elections that are over, which closes a
   * channel, and is no sync that failed (L4).
   */
  static void sync(Path path) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException again) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Syncs a folder and everything below it. */
  static void syncAll(Path folder) throws IOException {
    for (Path path : below(folder)) {
      sync(path);
    }
  }

  static void deleteAll(Path folder) throws IOException {
    List<Path> paths = below(folder);
    paths.sort(Comparator.reverseOrder());
    for (Path path : paths) {
      Files.deleteIfExists(path);
    }
  }

  static List<Path> list(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.list(folder)) {
      return new ArrayList<>(paths.sorted().toList());
    }
  }

  private static List<Path> below(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return new ArrayList<>();
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      return new ArrayList<>(paths.toList());
    }
  }
}
