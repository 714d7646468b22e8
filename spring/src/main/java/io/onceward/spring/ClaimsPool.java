package io.onceward.spring;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The connections that claims of effects outside are made on. A thread that holds one of them for
 * an open transaction gets no second: enough of these, and each waits for the others. Nor would the
 * effect be undone with that transaction.
 */
final class ClaimsPool extends DelegatingDataSource {
  ClaimsPool(DataSource pool) {
    super(behind(pool));
  }

  /** The pool behind all proxies: two of these on one pool share its connections. */
  static DataSource behind(DataSource dataSource) {
    DataSource real = dataSource;
    while (real instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
      real = proxy.getTargetDataSource();
    }
    return real;
  }

  @Override
  public Connection getConnection() throws SQLException {
    refuseIfHeld("A claim or a question");
    return super.getConnection();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    refuseIfHeld("A claim or a question");
    return super.getConnection(user, password);
  }

  /**
   * Throws if this thread holds a connection of the pool.
   *
   * @param what wants another
   */
  void refuseIfHeld(String what) {
    if (isHeld()) {
      throw new IllegalStateException(
          what
              + " came inside an open transaction. It needs a second connection of the pool while"
              + " this thread holds one, which ends in a deadlock of the pool, and an effect outside"
              + " would stay if the transaction was rolled back. Call it before or after the"
              + " transaction, or give claims a pool of their own by"
              + " onceward.jdbc.claim-data-source.");
    }
  }

  private boolean isHeld() {
    @Nullable DataSource pool = getTargetDataSource();
    for (Map.Entry<Object, Object> bound :
        TransactionSynchronizationManager.getResourceMap().entrySet()) {
      if (bound.getValue() instanceof ConnectionHolder
          && bound.getKey() instanceof DataSource source
          && behind(source) == pool) {
        return true;
      }
    }
    return false;
  }
}
