package io.onceward.benchmarks.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Counts what is decided for a few sessions, on whichever thread hears of it. Several lanes keep
 * threads out of each other's way.
 */
final class Lane {
  private final Stopwatch watch;
  private final Histogram latency = new Histogram();
  private long executed;
  private int waiting;
  private @Nullable Throwable failure;

  Lane(Stopwatch watch) {
    this.watch = watch;
  }

  synchronized void asked() {
    waiting++;
  }

  /** A reply came; whether another request may be asked in its place. */
  synchronized boolean decided(long nanos) {
    waiting--;
    executed++;
    if (watch.measures()) {
      latency.add(nanos);
    }
    notifyIfSettled();
    return goesOn();
  }

  /** A request ended without a reply; nothing more is asked here. */
  synchronized void failed(Throwable problem) {
    waiting--;
    if (failure == null) {
      failure = problem;
    }
    notifyIfSettled();
  }

  private void notifyIfSettled() {
    if (waiting == 0) {
      notifyAll();
    }
  }

  synchronized boolean goesOn() {
    return !watch.isOver() && failure == null;
  }

  /** Waits until nothing is under way. */
  synchronized void settle(long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    while (waiting > 0) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new IllegalStateException(
            waiting + " requests are not decided " + millis + " ms after the last was sent");
      }
      wait(left);
    }
    requireNoFailure();
  }

  synchronized void requireNoFailure() {
    if (failure != null) {
      throw new IllegalStateException("a request failed: " + failure, failure);
    }
  }

  synchronized Tally tally() {
    return new Tally(latency.count(), executed, 0, 0, latency);
  }
}
