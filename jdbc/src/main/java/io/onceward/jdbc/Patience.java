package io.onceward.jdbc;

/**
 * For how long one copy of a request still waits for others, over all its attempts. While its own
 * work runs it waits for nobody, so that does not count.
 */
final class Patience {
  private long until;
  private boolean works;
  private long workedSince;

  /** Up to this moment of {@link System#nanoTime}. */
  Patience(long until) {
    this.until = until;
  }

  long leftMillis() {
    return (until - System.nanoTime()) / 1_000_000L;
  }

  /** The same work; from its beginning no time counts until {@link #goesOn}. */
  Work standingStillIn(Work work) {
    return connection -> {
      works = true;
      workedSince = System.nanoTime();
      return work.run(connection);
    };
  }

  /** The attempt is over. */
  void goesOn() {
    if (works) {
      works = false;
      until += System.nanoTime() - workedSince;
    }
  }

  void beginsAnew(long millis) {
    until = System.nanoTime() + millis * 1_000_000L;
  }
}
