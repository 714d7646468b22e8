package io.onceward.jdbc;

/**
 * The clock of retention: it stands still while no process of the application sweeps (K3), so that
 * an outage does not make ids run out that nobody could have retried. Records carry the time on it
 * at which they expire; what each of them needs to know is one number, which only grows, and which
 * is read with the record. Whoever reads it before the first sweep after an outage reads too small
 * a number, and keeps its record for too long.
 */
final class CountedTime {
  /** How far the clock is behind the database's own, in milliseconds. */
  static final String UNCOUNTED_MILLIS = "(SELECT uncounted_millis FROM onceward_sweep)";

  /** What its clock showed when time was last counted. */
  static final String COUNTED =
      "(SELECT swept_at - uncounted_millis * interval '1 millisecond' FROM onceward_sweep)";

  private CountedTime() {}

  /** When something expires that lasts so long from a moment on. */
  static String expiry(String from, String millis) {
    return from + " + (" + millis + " - " + UNCOUNTED_MILLIS + ") * interval '1 millisecond'";
  }
}
