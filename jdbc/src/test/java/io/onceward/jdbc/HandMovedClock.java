package io.onceward.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database whose clock the test moves. PostgreSQL looks for functions along the search path, and
 * here the path begins with a schema that has a {@code clock_timestamp()} and a {@code now()} of
 * its own. They run with the real clock, ahead of it by as much as the test said.
 */
final class HandMovedClock {
  private final PGSimpleDataSource dataSource;
  private final Connection connection;
  private Duration moved = Duration.ZERO;

  HandMovedClock(Bank bank) {
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
    try {
      connection = bank.dataSource().getConnection();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whoever connects through it lives by this clock. */
  PGSimpleDataSource dataSource() {
    return dataSource;
  }

  /** What it shows. */
  Instant now() {
    return Instant.now().plus(moved);
  }

  void pass(Duration time) {
    moved = moved.plus(time);
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE ahead SET micros = micros + ?")) {
      statement.setLong(1, time.toNanos() / 1_000);
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Empty tables, and the true time. */
  void reset() {
    moved = Duration.ZERO;
    try (Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM onceward_request");
      statement.execute("DELETE FROM onceward_evidence");
      statement.execute("UPDATE onceward_horizon SET dated = -1");
      statement.execute("UPDATE onceward_sweep SET uncounted_millis = 0, undated = -1");
      statement.execute("UPDATE onceward_fence SET dropped = -1");
      statement.execute("UPDATE ahead SET micros = 0");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
