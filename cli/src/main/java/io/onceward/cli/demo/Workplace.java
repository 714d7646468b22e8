package io.onceward.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The demo's temporary folder and everything that was set up in it. Closing takes it all down, last
 * things first, and then removes the folder; it happens once, also when the demo is interrupted.
 */
final class Workplace implements Closeable {
  private static final int TRIES = 20;

  private final Path folder;
  private final Deque<Closeable> things = new ArrayDeque<>();
  private final Thread hook = new Thread(this::close, "end of demo");
  private boolean kept;
  private boolean closed;

  private Workplace(Path folder) {
    this.folder = folder;
  }

  static Workplace create(boolean kept) throws IOException {
    Workplace place = new Workplace(Files.createTempDirectory("onceward-demo-"));
    place.kept = kept;
    Runtime.getRuntime().addShutdownHook(place.hook);
    return place;
  }

  Path folder() {
    return folder;
  }

  /** Sees to it that this is closed in the end. */
  synchronized <T extends Closeable> T with(T thing) throws IOException {
    if (closed) {
      thing.close();
      throw new IOException("the demo is being taken down");
    }
    things.push(thing);
    return thing;
  }

  /** The folder stays, as evidence or because somebody wants to look at it. */
  synchronized void keep() {
    kept = true;
  }

  synchronized boolean isKept() {
    return kept;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (Closeable thing : things) {
      try {
        thing.close();
      } catch (IOException | RuntimeException problem) {
        // The others have to go all the same.
      }
    }
    if (!kept) {
      remove();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // It is this hook that runs.
    }
  }

  /** A process that has just been killed may still have been writing: then once more. */
  private void remove() {
    for (int i = 0; i < TRIES && Files.exists(folder); i++) {
      try {
        Files.walkFileTree(folder, new Removal());
      } catch (IOException again) {
        // Something came in between.
      }
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(
        Path directory, @org.jspecify.annotations.Nullable IOException problem) throws IOException {
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
