package io.onceward.cli.demo;

import io.onceward.cli.ScratchFolder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The demo's temporary folder and everything that was set up in it. Closing takes it all down, last
 * things first, and then removes the folder; it happens once, also when the demo is interrupted. If
 * it is killed, its children end by themselves and a {@link Broom} removes the folder.
 */
final class Workplace implements Closeable {
  private static final long A_MOMENT_MILLIS = 1_000;

  private final Path folder;
  private final Broom broom;
  private final Deque<Closeable> things = new ArrayDeque<>();
  private final Thread hook = new Thread(this::interrupted, "end of demo");
  private final CountDownLatch interruption = new CountDownLatch(1);
  private boolean kept;
  private boolean closed;

  private Workplace(Path folder, Broom broom, boolean kept) {
    this.folder = folder;
    this.broom = broom;
    this.kept = kept;
  }

  static Workplace create(boolean kept) throws IOException {
    Path folder = Files.createTempDirectory("onceward-demo-");
    Broom broom = Broom.over(folder);
    if (kept) {
      broom.putAway();
    }
    Workplace place = new Workplace(folder, broom, kept);
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
    broom.putAway();
  }

  synchronized boolean isKept() {
    return kept;
  }

  private void interrupted() {
    interruption.countDown();
    close();
  }

  /**
   * Whether somebody has told this process to end, so that whatever fails now fails for that.
   * Ctrl-C reaches all processes of a terminal at once; a child may be gone before this one has
   * noticed, so it takes a moment to tell.
   */
  boolean isInterrupted() throws InterruptedException {
    return interruption.await(A_MOMENT_MILLIS, TimeUnit.MILLISECONDS);
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
      ScratchFolder.remove(folder);
      broom.putAway();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // It is this hook that runs.
    }
  }
}
