package io.onceward.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A connection taken for one transaction, and given back as it was. Unless it is said to be
 * committed it is rolled back, also when an error flies through.
 */
final class OwnTransaction implements AutoCloseable {
  private final Connection connection;
  private final boolean autoCommit;
  private boolean committed;

  private OwnTransaction(Connection connection, boolean autoCommit) {
    this.connection = connection;
    this.autoCommit = autoCommit;
  }

  static OwnTransaction begin(DataSource dataSource) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      if (connection.isReadOnly()) {
        throw new MisuseException(
            "the data source gives read-only connections, so nothing can be remembered with it");
      }
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      return new OwnTransaction(connection, autoCommit);
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  Connection connection() {
    return connection;
  }

  /** The server has committed. */
  void committed() {
    committed = true;
  }

  /** What is decided is decided: trouble with giving the connection back does not change it. */
  @Override
  public void close() {
    try {
      if (committed) {
        // The driver knows already and sends nothing; a pool around it learns it here.
        connection.commit();
      } else {
        connection.rollback();
      }
      // Only now: on an open transaction, this call would commit it.
      connection.setAutoCommit(autoCommit);
    } catch (SQLException e) {
      abort();
    }
    try {
      connection.close();
    } catch (SQLException e) {
      abort();
    }
  }

  /** So that no pool hands out a connection whose transaction is still open. */
  private void abort() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      // It is beyond use, which is what was wanted.
    }
  }
}
