package io.onceward.server;

/**
 * The clock by which a leader stamps entries (T2). It starts with the node's wall clock when the
 * node begins to lead, and goes on with the monotonic clock. It approaches the wall clock by at
 * most a tenth of the time that passes, so a wall clock that jumps a year ahead, or back, does not
 * take the log along: the difference is reported, not followed. Stamps of one term never go back.
 *
 * <p>A plain object: both clocks are arguments.
 */
final class LeaderClock {
  private static final int TENTH = 10;
  private static final long MICROS = 1_000;

  private boolean running;
  private long lastMonotonicMillis;
  private long stampMicros;
  private long aheadMillis;

  /** The next stamp is the wall clock's: another term begins. */
  void restart() {
    running = false;
  }

  /** The stamp of an entry that is made now. */
  long stampMillis(long wallMillis, long monotonicMillis) {
    if (!running) {
      running = true;
      stampMicros = wallMillis * MICROS;
    } else {
      long passed = Math.max(0, monotonicMillis - lastMonotonicMillis) * MICROS;
      long most = passed / TENTH;
      long difference = wallMillis * MICROS - (stampMicros + passed);
      stampMicros += passed + Math.max(-most, Math.min(most, difference));
    }
    lastMonotonicMillis = monotonicMillis;
    long stampMillis = Math.floorDiv(stampMicros, MICROS);
    aheadMillis = stampMillis - wallMillis;
    return stampMillis;
  }

  /** How far the last stamp was ahead of the wall clock. */
  long aheadMillis() {
    return aheadMillis;
  }
}
