package io.onceward.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** What the statements of one step answered, one after the other. */
final class StepResults {
  private final PreparedStatement statement;
  private boolean rows;

  private StepResults(PreparedStatement statement, boolean rows) {
    this.statement = statement;
    this.rows = rows;
  }

  /** Executes the step, which begins with {@link StoreSql#BEGIN}. */
  static StepResults of(PreparedStatement statement) throws SQLException {
    StepResults results = new StepResults(statement, statement.execute());
    for (int i = 0; i < StoreSql.SETTING_COUNT; i++) {
      results.count();
    }
    return results;
  }

  /** How many rows the next statement changed. */
  int count() throws SQLException {
    if (rows) {
      throw new IllegalStateException("there are rows where a count was expected");
    }
    int count = statement.getUpdateCount();
    rows = statement.getMoreResults();
    return count;
  }

  /** The rows of the next statement; the last that is asked for. */
  ResultSet rows() throws SQLException {
    if (!rows) {
      throw new IllegalStateException("there are no rows; is the driver pgjdbc?");
    }
    return statement.getResultSet();
  }

  /** Whether the next statement said true; no row is false. */
  boolean yes() throws SQLException {
    try (ResultSet row = rows()) {
      return row.next() && row.getBoolean(1);
    }
  }
}
