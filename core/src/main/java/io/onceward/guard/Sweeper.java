package io.onceward.guard;

import java.time.Duration;

/** A thread that sweeps a store every second, until it is stopped. */
final class Sweeper {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int AT_ONCE = 1_000;

  private final Thread thread;

  private Sweeper(String name, ClaimStore store) {
    thread = new Thread(() -> sweepUntilStopped(store), name);
    thread.setDaemon(true);
  }

  static Sweeper start(String name, ClaimStore store) {
    Sweeper sweeper = new Sweeper(name, store);
    sweeper.thread.start();
    return sweeper;
  }

  private static void sweepUntilStopped(ClaimStore store) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        if (sweep(store) < AT_ONCE) {
          Thread.sleep(PAUSE.toMillis());
        }
      }
    } catch (InterruptedException stopped) {
      // That is how it is told to stop.
    }
  }

  /** A sweep that fails is reported, and is not the last: without sweeps nothing runs out. */
  private static int sweep(ClaimStore store) {
    try {
      return store.sweep(AT_ONCE);
    } catch (RuntimeException e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
      return 0;
    }
  }

  /** The thread is gone when this returns, unless the caller is interrupted meanwhile. */
  void stop() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
