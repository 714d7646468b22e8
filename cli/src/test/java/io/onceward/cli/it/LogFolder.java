package io.onceward.cli.it;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** What a server has written into its data folder, seen from outside. */
record LogFolder(Path data) {

  /** The files of the log, oldest first. */
  List<Path> log() throws IOException {
    return named("log_\\d+-\\d+|log_inprogress_\\d+");
  }

  /** The snapshots, oldest first. */
  List<Path> snapshots() throws IOException {
    return named("snapshot\\.\\d+_\\d+");
  }

  /** Whether the beginning of the log is gone, so that only a snapshot tells of it. */
  boolean isPurged() throws IOException {
    List<Path> log = log();
    return !snapshots().isEmpty() && (log.isEmpty() || first(log.get(0)) > 0);
  }

  private List<Path> named(String pattern) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(file -> file.getFileName().toString().matches(pattern))
          .sorted((a, b) -> Long.compare(first(a), first(b)))
          .toList();
    }
  }

  /**
   * The first number that orders such files: where a part of the log begins, a snapshot's index.
   */
  private static long first(Path file) {
    String name = file.getFileName().toString();
    String number =
        name.startsWith("snapshot")
            ? name.substring(name.indexOf('_') + 1)
            : name.replaceFirst("log_(inprogress_)?", "").replaceFirst("-.*", "");
    return Long.parseLong(number);
  }

  /** Flips one bit. */
  static void damage(Path file, long offset) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, offset);
      one.put(0, (byte) (one.get(0) ^ 0x10)).rewind();
      channel.write(one, offset);
    }
  }
}
