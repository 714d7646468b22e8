package io.onceward.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Drops records past their retention. First the horizon is raised over the dates of those that are
 * to go, and that is committed; then only what is not above the committed horizon is deleted. So
 * whoever finds no record finds the horizon (K5, G5). Several of these at once do no harm: the
 * horizon only grows, and each deletes what no other has its hands on.
 */
final class Cleaning {
  private static final String RAISE_HORIZON =
      StoreSql.BEGIN
          + """
      UPDATE onceward_horizon SET dated = expired.newest
      FROM (SELECT max(dated) AS newest FROM (
        SELECT dated FROM onceward_request WHERE expires_at <= clock_timestamp()
        ORDER BY expires_at LIMIT ?) oldest) expired
      WHERE expired.newest > onceward_horizon.dated"""
          + StoreSql.COMMIT;

  private static final String DELETE =
      StoreSql.BEGIN
          + """
      WITH expired AS MATERIALIZED (
        SELECT principal, scope, key_kind, key_high, key_low FROM onceward_request
        WHERE expires_at <= clock_timestamp()
          AND (dated IS NULL OR dated <= (SELECT dated FROM onceward_horizon))
        ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED
      ), evidence AS (
        DELETE FROM onceward_evidence e USING expired x
        WHERE (e.principal, e.scope, e.key_kind, e.key_high, e.key_low)
          = (x.principal, x.scope, x.key_kind, x.key_high, x.key_low)
      )
      DELETE FROM onceward_request r USING expired x
      WHERE (r.principal, r.scope, r.key_kind, r.key_high, r.key_low)
        = (x.principal, x.scope, x.key_kind, x.key_high, x.key_low)"""
          + StoreSql.COMMIT;

  private Cleaning() {}

  /**
   * Drops at most so many, the oldest first.
   *
   * @return how many
   */
  static int drop(DataSource dataSource, int atMost) throws SQLException {
    try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
      raiseHorizon(transaction.connection(), atMost);
      int dropped = delete(transaction.connection(), atMost);
      transaction.committed();
      return dropped;
    }
  }

  static void raiseHorizon(Connection connection, int atMost) throws SQLException {
    execute(connection, RAISE_HORIZON, atMost);
  }

  static int delete(Connection connection, int atMost) throws SQLException {
    return execute(connection, DELETE, atMost);
  }

  /** One transaction. */
  private static int execute(Connection connection, String sql, int atMost) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, atMost);
      return StepResults.of(statement).count();
    }
  }
}
