package io.onceward.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Knows the transactions that are committed or rolled back, or about to be. While their callbacks
 * run, Spring still has them bound to the thread and takes part in them, but nobody commits what is
 * written then.
 */
final class Completed implements TransactionExecutionListener {
  private final DataSource dataSource;

  /** What each of them has bound, as long as somebody else knows of it. */
  private final ThreadLocal<Map<ConnectionHolder, Boolean>> holders =
      ThreadLocal.withInitial(WeakHashMap::new);

  private Completed(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Of the transactions of this manager on this data source. */
  static Completed of(PlatformTransactionManager manager, DataSource dataSource) {
    Completed completed = new Completed(dataSource);
    if (manager instanceof ConfigurableTransactionManager configurable) {
      List<TransactionExecutionListener> all =
          new ArrayList<>(configurable.getTransactionExecutionListeners());
      all.add(completed);
      configurable.setTransactionExecutionListeners(all);
    }
    return completed;
  }

  /** Whether this is what a completed transaction has bound. */
  boolean have(ConnectionHolder bound) {
    return holders.get().containsKey(bound);
  }

  @Override
  public void beforeCommit(TransactionExecution transaction) {
    complete(transaction);
  }

  @Override
  public void beforeRollback(TransactionExecution transaction) {
    complete(transaction);
  }

  /** Not if a savepoint was all that it had: what is around a nested transaction goes on. */
  private void complete(TransactionExecution transaction) {
    if (transaction.isNewTransaction()
        && TransactionSynchronizationManager.getResource(dataSource)
            instanceof ConnectionHolder bound) {
      holders.get().put(bound, true);
    }
  }
}
