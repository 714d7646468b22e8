package io.onceward.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Drops records past their retention, or as old as an administrator says. First the horizon is
 * raised over the dates of those that are to go, and that is committed; then only what is not above
 * the committed horizon is deleted. So whoever finds no record finds the horizon (K5, G5). The same
 * is done with the fences of undated keys, which may start anew (G3). Several of these at once do
 * no harm: horizon and fence only grow, and each deletes what no other has its hands on.
 */
final class Cleaning {
  /**
   * By the time up to the last count, and not by the time now: a process may be paused between its
   * transactions, and what nobody has counted yet makes nothing run out.
   */
  private static final String DUE = "expires_at <= " + CountedTime.COUNTED;

  /** Started before a moment in microseconds since 1970, and not open. */
  static final String OLDER =
      "state NOT IN ('STARTED', 'UNKNOWN')"
          + " AND started_at < timestamptz 'epoch' + ? * interval '1 microsecond'";

  private static final String STARTED_MICROS = "(extract(epoch FROM started_at) * 1000000)::bigint";

  /** A sweep is made; of the time since the one before, at most this many milliseconds count. */
  private static final String COUNT =
      StoreSql.BEGIN
          + """
          UPDATE onceward_sweep SET swept_at = clock_timestamp(), uncounted_millis = uncounted_millis
            + greatest(0, (extract(epoch FROM clock_timestamp() - swept_at) * 1000)::bigint - ?)"""
          + StoreSql.COMMIT;

  private static final String RAISE_HORIZON = raiseHorizon(DUE);
  private static final String RAISE_UNDATED = raiseUndated(DUE);
  private static final String DELETE = delete(DUE, " SKIP LOCKED");
  private static final String RAISE_HORIZON_OLDER = raiseHorizon(OLDER);
  private static final String RAISE_UNDATED_OLDER = raiseUndated(OLDER);
  private static final String DELETE_OLDER = delete(OLDER, " SKIP LOCKED");
  private static final String DELETE_OLDER_WAITING = delete(OLDER, "");

  private Cleaning() {}

  private static String raiseHorizon(String condition) {
    return StoreSql.BEGIN
        + """
        UPDATE onceward_horizon SET dated = oldest.newest
        FROM (SELECT max(dated) AS newest FROM (
          SELECT dated FROM onceward_request WHERE %s ORDER BY expires_at LIMIT ?) each) oldest
        WHERE oldest.newest > onceward_horizon.dated"""
            .formatted(condition)
        + StoreSql.COMMIT;
  }

  /**
   * What undated keys leave behind: the latest start, which decides nothing and tells those who ask
   * that some were dropped (O1), and the greatest fence, so that none that starts anew is given one
   * which names an earlier run (G3). Of those that are to go, as the horizon is: what is not
   * dropped yet leaves nothing behind. The parameters are given twice.
   */
  private static String raiseUndated(String condition) {
    String oldest =
        "SELECT dated, fence, %s AS started FROM onceward_request WHERE %s ORDER BY expires_at LIMIT ?"
            .formatted(STARTED_MICROS, condition);
    return StoreSql.BEGIN
        + """
        UPDATE onceward_sweep SET undated = oldest.newest
        FROM (SELECT max(started) AS newest FROM (%1$s) each WHERE dated IS NULL) oldest
        WHERE oldest.newest > onceward_sweep.undated;
        UPDATE onceward_fence SET dropped = oldest.greatest
        FROM (SELECT max(fence) AS greatest FROM (%1$s) each WHERE dated IS NULL) oldest
        WHERE oldest.greatest > onceward_fence.dropped"""
            .formatted(oldest)
        + StoreSql.COMMIT;
  }

  private static String delete(String condition, String ofLocked) {
    return StoreSql.BEGIN
        + """
        WITH gone AS MATERIALIZED (
          SELECT principal, scope, key_kind, key_high, key_low FROM onceward_request
          WHERE %s
            AND (dated <= (SELECT dated FROM onceward_horizon)
              OR dated IS NULL AND %s <= (SELECT undated FROM onceward_sweep)
                AND fence <= (SELECT dropped FROM onceward_fence))
          ORDER BY expires_at LIMIT ? FOR UPDATE%s
        ), evidence AS (
          DELETE FROM onceward_evidence e USING gone x
          WHERE (e.principal, e.scope, e.key_kind, e.key_high, e.key_low)
            = (x.principal, x.scope, x.key_kind, x.key_high, x.key_low)
        )
        DELETE FROM onceward_request r USING gone x
        WHERE (r.principal, r.scope, r.key_kind, r.key_high, r.key_low)
          = (x.principal, x.scope, x.key_kind, x.key_high, x.key_low)"""
            .formatted(condition, STARTED_MICROS, ofLocked)
        + StoreSql.COMMIT;
  }

  /**
   * Drops at most so many that are past their retention, the oldest first.
   *
   * @param countMillis how much of the time since the last sweep counts for retention, at most
   * @return how many
   */
  static int drop(DataSource dataSource, int atMost, long countMillis) throws SQLException {
    try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
      count(transaction.connection(), countMillis);
      raiseHorizon(transaction.connection(), atMost);
      execute(transaction.connection(), RAISE_UNDATED, atMost, atMost);
      int dropped = delete(transaction.connection(), atMost);
      transaction.committed();
      return dropped;
    }
  }

  /**
   * Drops at most so many that were started before a moment.
   *
   * @param waits for those that others hold, up to {@link JdbcClaimStore#LOCK_MILLIS}; else it
   *     leaves them out
   * @return how many
   */
  static int forget(Connection connection, long startedMicros, int atMost, boolean waits)
      throws SQLException {
    execute(connection, RAISE_HORIZON_OLDER, startedMicros, atMost);
    execute(connection, RAISE_UNDATED_OLDER, startedMicros, atMost, startedMicros, atMost);
    return execute(connection, waits ? DELETE_OLDER_WAITING : DELETE_OLDER, startedMicros, atMost);
  }

  static long countOlder(Connection connection, long startedMicros) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(RecordSql.COUNT_OLDER)) {
      statement.setLong(1, startedMicros);
      try (ResultSet row = StepResults.of(statement).rows()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  static void count(Connection connection, long countMillis) throws SQLException {
    execute(connection, COUNT, countMillis);
  }

  static void raiseHorizon(Connection connection, int atMost) throws SQLException {
    execute(connection, RAISE_HORIZON, atMost);
  }

  static int delete(Connection connection, int atMost) throws SQLException {
    return execute(connection, DELETE, atMost);
  }

  /** One transaction. */
  private static int execute(Connection connection, String sql, long... numbers)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < numbers.length; i++) {
        statement.setLong(i + 1, numbers[i]);
      }
      return StepResults.of(statement).count();
    }
  }
}
