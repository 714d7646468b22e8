package io.onceward.cli;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A temporary folder of a program that starts servers. It is gone when it is closed, and also when
 * the process is told to end: then the servers that write there are stopped first.
 */
public final class ScratchFolder implements AutoCloseable {
  private static final int TRIES = 20;

  private final Path path;

  private ScratchFolder(Path path) {
    this.path = path;
  }

  /**
   * Makes a new one, empty and for this process alone.
   *
   * @param prefix how its name begins
   */
  public static ScratchFolder create(String prefix) throws IOException {
    ScratchFolder folder = new ScratchFolder(Files.createTempDirectory(prefix));
    Offspring.add(folder);
    return folder;
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() {
    remove(path);
    Offspring.remove(this);
  }

  /**
   * Removes a folder and what is in it. A process that has just been killed may still have been
   * writing there: then once more.
   */
  public static void remove(Path folder) {
    for (int i = 0; i < TRIES && Files.exists(folder); i++) {
      try {
        Path unused = Files.walkFileTree(folder, new Removal());
      } catch (IOException again) {
        // Something came in between.
      }
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      boolean unused = Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException gone) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException problem)
        throws IOException {
      boolean unused = Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
