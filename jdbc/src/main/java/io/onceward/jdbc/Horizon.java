package io.onceward.jdbc;

/** The dates that a key may have (K5), in SQL. */
final class Horizon {
  /**
   * A condition on a date, in microseconds since 1970: not too far ahead of the database's clock.
   */
  private static final String NOT_FROM_THE_FUTURE =
      "timestamptz 'epoch' + ? * interval '1 microsecond' <= clock_timestamp() + interval '5 minutes'";

  /** A condition on a date, which is given twice. */
  static final String NOT_FORGOTTEN =
      "? > (SELECT dated FROM onceward_horizon) AND " + NOT_FROM_THE_FUTURE;

  /** The last date, in microseconds since 1970, that is not too far ahead. */
  static final String FUTURE =
      "((extract(epoch FROM clock_timestamp() + interval '5 minutes') * 1000000)::bigint)";

  private Horizon() {}
}
