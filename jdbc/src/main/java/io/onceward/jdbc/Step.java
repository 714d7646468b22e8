package io.onceward.jdbc;

import io.onceward.guard.StoreUnavailableException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A step on the tables that is a transaction of its own; its SQL ends with its commit. */
final class Step {
  /** Sets the parameters of a step. */
  interface Binding {
    void bind(PreparedStatement statement) throws SQLException;
  }

  /** Reads what a step answered. */
  interface Reading<T> {
    T read(StepResults results) throws SQLException;
  }

  private Step() {}

  /**
   * Takes a step.
   *
   * @throws StoreUnavailableException if its answer did not come; whether it was taken is not known
   */
  static <T> T take(DataSource dataSource, String sql, Binding binding, Reading<T> reading) {
    try (OwnTransaction transaction = OwnTransaction.begin(dataSource);
        PreparedStatement statement = transaction.connection().prepareStatement(sql)) {
      binding.bind(statement);
      T answer = reading.read(StepResults.of(statement));
      transaction.committed();
      return answer;
    } catch (SQLException e) {
      throw new StoreUnavailableException("the database did not answer", e);
    }
  }
}
