package io.onceward.server;

import io.onceward.files.Folders;
import io.onceward.wire.Difference;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Keeps in the data folder that the replica in it was found to differ from the leader's, so that a
 * restart does not hide it. It goes when a later comparison finds no difference, and with the
 * folder's contents when an operator empties it.
 */
final class DifferenceFile {
  private static final String NAME = "differs.properties";

  private final Path file;

  DifferenceFile(Path folder) {
    this.file = folder.resolve(NAME);
  }

  @Nullable Difference read() {
    if (!Files.exists(file)) {
      return null;
    }
    Properties found = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      found.load(in);
    } catch (IOException problem) {
      throw new UncheckedIOException(
          file + " says whether this replica is a good one, and cannot be read: " + problem,
          problem);
    }
    long position;
    try {
      position = Long.parseLong(found.getProperty("position", "0"));
    } catch (NumberFormatException unreadable) {
      position = 0;
    }
    return new Difference(position, found.getProperty("own", ""), found.getProperty("leaders", ""));
  }

  /** Keeps it, or that there is none (any more), also through a loss of power. */
  void write(@Nullable Difference difference) throws IOException {
    if (difference == null) {
      Files.deleteIfExists(file);
    } else {
      replace(difference);
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Folders.sync(folder);
    }
  }

  private void replace(Difference difference) throws IOException {
    Properties found = new Properties();
    found.setProperty("position", Long.toString(difference.position()));
    found.setProperty("own", difference.own());
    found.setProperty("leaders", difference.leaders());
    Path written = file.resolveSibling(NAME + ".new");
    try (OutputStream out = Files.newOutputStream(written)) {
      found.store(out, "This replica differed from the leader's. Empty the folder, add it anew.");
    }
    try (FileChannel sync = FileChannel.open(written, StandardOpenOption.WRITE)) {
      sync.force(true);
    }
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
