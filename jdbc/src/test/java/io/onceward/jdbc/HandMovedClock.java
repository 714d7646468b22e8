package io.onceward.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database whose clock the test moves. PostgreSQL looks for functions along the search path, and
 * here the path begins with a schema that has a {@code clock_timestamp()} and a {@code now()} of
 * its own. They run with the real clock, ahead of it by as much as the test said.
 */
final class HandMovedClock {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final PGSimpleDataSource dataSource;
  private final PGSimpleDataSource tables;
  private @Nullable Connection connection;
  private Duration moved = Duration.ZERO;

  HandMovedClock(Bank bank) {
    tables = bank.dataSource();
    dataSource = bank.anotherDataSource();
    dataSource.setCurrentSchema(bank.dataSource().getCurrentSchema() + ",pg_catalog");
    bank.run("CREATE TABLE ahead (micros bigint NOT NULL)");
    bank.run("INSERT INTO ahead VALUES (0)");
    for (String function : new String[] {"clock_timestamp", "now"}) {
      bank.run(
          "CREATE FUNCTION "
              + function
              + "() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$SELECT pg_catalog."
              + function
              + "() + (SELECT micros FROM ahead) * interval '1 microsecond'$$");
    }
  }

  /** Whoever connects through it lives by this clock. */
  PGSimpleDataSource dataSource() {
    return dataSource;
  }

  /** What it shows. */
  synchronized Instant now() {
    return Instant.now().plus(moved);
  }

  synchronized void pass(Duration time) {
    moved = moved.plus(time);
    execute("UPDATE ahead SET micros = " + moved.toNanos() / 1_000);
  }

  /** Empty tables, and the true time. */
  synchronized void reset() {
    moved = Duration.ZERO;
    execute(
        "DELETE FROM onceward_request",
        "DELETE FROM onceward_evidence",
        "UPDATE onceward_horizon SET dated = -1",
        "UPDATE onceward_sweep SET uncounted_millis = 0, undated = -1",
        "UPDATE onceward_fence SET dropped = -1",
        "UPDATE ahead SET micros = 0");
  }

  /** Again if the server is killed meanwhile: each of these may be done twice. */
  private void execute(String... all) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        if (connection == null) {
          connection = tables.getConnection();
        }
        try (Statement statement = connection.createStatement()) {
          for (String sql : all) {
            statement.execute(sql);
          }
        }
        return;
      } catch (SQLException e) {
        connection = null;
        if (!SqlStates.connectionIsGone(e) || System.nanoTime() > deadline) {
          throw new IllegalStateException(e);
        }
      }
    }
  }
}
