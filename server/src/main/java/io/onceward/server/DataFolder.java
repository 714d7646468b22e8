package io.onceward.server;

import io.onceward.files.FileInUseException;
import io.onceward.files.FileTrouble;
import io.onceward.files.Folders;
import io.onceward.files.ProcessLock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;

/**
 * Where a node keeps what it must not lose. The folder belongs to one node of one format, and to
 * one process at a time; both are checked before anything in it is touched.
 */
final class DataFolder implements AutoCloseable {
  private static final String FORMAT = "1";
  private static final String IDENTITY = "node.properties";
  private static final String LOCK = "lock";

  private final Path path;
  private final ProcessLock lock;

  private DataFolder(Path path, ProcessLock lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Takes the folder for this process, and makes it one if it is not there.
   *
   * @throws IOException if it cannot be used; the message says why and what to do
   */
  static DataFolder take(Path path, String node) throws IOException {
    try {
      Folders.make(path);
    } catch (IOException problem) {
      throw new IOException(
          "data folder " + path + " cannot be made: " + FileTrouble.inWords(problem), problem);
    }
    ProcessLock lock = lock(path);
    try {
      identify(path, node);
      return new DataFolder(path, lock);
    } catch (IOException | RuntimeException | Error problem) {
      lock.close();
      throw problem;
    }
  }

  private static ProcessLock lock(Path path) throws IOException {
    try {
      return ProcessLock.take(path.resolve(LOCK));
    } catch (FileInUseException taken) {
      throw new IOException(
          "data folder "
              + path
              + " is in use by a running server; stop that one, or give this one another folder",
          taken);
    }
  }

  private static void identify(Path path, String node) throws IOException {
    Path file = path.resolve(IDENTITY);
    Properties identity = new Properties();
    if (!Files.exists(file)) {
      identity.setProperty("format", FORMAT);
      identity.setProperty("node", node);
      Path written = path.resolve(IDENTITY + ".new");
      try (OutputStream out = Files.newOutputStream(written)) {
        identity.store(out, "Whose data this is. Do not edit.");
      }
      try (FileChannel sync = FileChannel.open(written, StandardOpenOption.WRITE)) {
        sync.force(true);
      }
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
      Folders.sync(path);
      Path above = path.toAbsolutePath().getParent();
      if (above != null) {
        // It may be there only because of a start that died before it was through here.
        Folders.sync(above);
      }
      return;
    }
    try (InputStream in = Files.newInputStream(file)) {
      identity.load(in);
    }
    String format = identity.getProperty("format", "none");
    if (!format.equals(FORMAT)) {
      throw new IOException(
          "data folder "
              + path
              + " has format "
              + format
              + "; this version reads format "
              + FORMAT
              + " only");
    }
    String owner = identity.getProperty("node", "");
    if (!owner.equals(node)) {
      throw new IOException(
          "data folder "
              + path
              + " belongs to node "
              + owner
              + ", not to "
              + node
              + "; start it as "
              + owner
              + ", or give "
              + node
              + " a folder of its own");
    }
  }

  /** Where the engine keeps its log and snapshots. */
  Path log() {
    return path.resolve("log");
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
