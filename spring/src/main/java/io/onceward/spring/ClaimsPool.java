package io.onceward.spring;

import javax.sql.DataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The connections that claims of effects outside are made on. A thread that holds one of them for
 * an open transaction must not ask for a second: enough of these, and each waits for the others.
 * Nor would the effect be undone with that transaction.
 */
record ClaimsPool(DataSource dataSource, boolean shared) implements GuardHome.Entrance {
  @Override
  public void check(OnceMethod method) {
    if (shared
        && TransactionSynchronizationManager.isActualTransactionActive()
        && TransactionSynchronizationManager.hasResource(dataSource)) {
      throw new IllegalStateException(
          "@Once(effect = OUTSIDE) on "
              + method.operation()
              + " was called inside an open transaction. Its claim needs a second connection of the"
              + " pool while this thread holds one, which ends in a deadlock of the pool, and the"
              + " effect would stay if the transaction was rolled back. Call it before or after the"
              + " transaction, or give claims a pool of their own by"
              + " onceward.jdbc.claim-data-source.");
    }
  }
}
