package io.onceward.jdbc;

/** The dates that a key may have (K5), in SQL. */
final class Horizon {
  /** How far ahead of the database's clock a key may be dated. */
  private static final long AHEAD_MICROS = 5 * 60 * 1_000_000L;

  /** The first date that is too far ahead is beyond this. */
  static final String FUTURE =
      "((extract(epoch FROM clock_timestamp()) * 1000000)::bigint + " + AHEAD_MICROS + ")";

  /** A condition on a date, which is given twice. */
  static final String NOT_FORGOTTEN = "? > (SELECT dated FROM onceward_horizon) AND ? <= " + FUTURE;

  private Horizon() {}
}
