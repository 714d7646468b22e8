package io.onceward.client;

import io.onceward.guard.ClaimStore;
import io.onceward.guard.StoreUnavailableException;

/** A thread that sweeps a store now and then, until it is stopped. */
final class ClaimSweeper {
  private static final int AT_ONCE = 10_000;

  private final Thread thread;

  private ClaimSweeper(ClaimStore store, long pauseMillis) {
    thread = new Thread(() -> sweepUntilStopped(store, pauseMillis), "onceward-claims-sweep");
    thread.setDaemon(true);
  }

  static ClaimSweeper start(ClaimStore store, long pauseMillis) {
    ClaimSweeper sweeper = new ClaimSweeper(store, pauseMillis);
    sweeper.thread.start();
    return sweeper;
  }

  private static void sweepUntilStopped(ClaimStore store, long pauseMillis) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep(pauseMillis);
        sweep(store);
      }
    } catch (InterruptedException stopped) {
      // That is how it is told to stop.
    }
  }

  private static void sweep(ClaimStore store) {
    try {
      store.sweep(AT_ONCE);
    } catch (StoreUnavailableException e) {
      // Whoever needs the cluster hears of it; what is due stays due.
    } catch (RuntimeException | Error e) {
      // Whatever it is, the next sweep may do better; without sweeps nothing would ever run out.
      Uncaught.report(e);
    }
  }

  /** It is not waited for: it may be waiting for the cluster. */
  void stop() {
    thread.interrupt();
  }
}
