package io.onceward.benchmarks.cluster;

/** A load that has been started; a {@link Stopwatch} tells it when to stop asking. */
interface Running {
  /** Waits until everything is decided, and closes what was opened. */
  void settle() throws InterruptedException;

  /** What it came to, times left out: the stopwatch has them. */
  Tally tally();
}
