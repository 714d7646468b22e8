package io.onceward.spring;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The transactions of one manager on one data source. That some transaction is open says nothing:
 * it may be another manager's, of a broker or of another database, and that a connection is not in
 * autocommit mode says nothing either, since pools can be set up so. What counts is that this
 * manager takes part in it, on a connection that this manager has bound.
 */
final class ManagedTransactions {
  private final PlatformTransactionManager manager;
  private final DataSource dataSource;
  private final Completed completed;

  ManagedTransactions(PlatformTransactionManager manager, DataSource dataSource) {
    this.manager = manager;
    this.dataSource = dataSource;
    completed = Completed.of(manager, dataSource);
  }

  PlatformTransactionManager manager() {
    return manager;
  }

  /** Whether savepoints undo all that a transaction holds; a persistence context is not undone. */
  boolean isOfJdbcAlone() {
    return manager instanceof DataSourceTransactionManager;
  }

  /** Whether another manager's transactions are the same: two may share a data source. */
  boolean areOf(TransactionManager other) {
    return other == manager
        || (other instanceof ResourceTransactionManager theirs
            && manager instanceof ResourceTransactionManager ours
            && theirs.getResourceFactory() == ours.getResourceFactory());
  }

  /**
   * A view of the manager's transaction of this thread, which begins nothing; null without one.
   *
   * @throws IllegalStateException if it has been completed
   */
  @Nullable TransactionStatus open() {
    TransactionStatus open;
    try {
      open =
          manager.getTransaction(
              new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY));
    } catch (IllegalTransactionStateException none) {
      return null;
    }
    if (TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder bound
        && completed.have(bound)) {
      throw new IllegalStateException(
          "a method with @Once was called by a callback of a transaction that has been completed,"
              + " such as a @TransactionalEventListener, so nobody would commit what it writes. Call"
              + " it in a transaction of its own (REQUIRES_NEW), or on another thread.");
    }
    return open;
  }

  /** The same where there is one. */
  TransactionStatus participant() {
    TransactionStatus status = open();
    if (status == null) {
      throw new IllegalStateException("the transaction of this thread has been lost");
    }
    return status;
  }

  /** What the manager has bound for its transaction. */
  ConnectionHolder bound() {
    if (TransactionSynchronizationManager.getResource(dataSource)
        instanceof ConnectionHolder holder) {
      return holder;
    }
    throw new IllegalStateException(
        "the transaction of "
            + manager.getClass().getName()
            + " is not on the data source of Onceward's tables");
  }

  /**
   * Why business SQL would not commit together with its claim, or null if it does: begins a
   * transaction and looks at what the manager has bound for it.
   */
  @Nullable String objection() {
    if (manager instanceof AbstractPlatformTransactionManager spring
        && spring.getTransactionSynchronization()
            == AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER) {
      return "the transaction manager has its synchronization switched off, so nobody can tell when"
          + " it has committed";
    }
    boolean together =
        Boolean.TRUE.equals(
            new TransactionTemplate(manager)
                .execute(
                    status -> {
                      status.setRollbackOnly();
                      return TransactionSynchronizationManager.getResource(dataSource)
                              instanceof ConnectionHolder holder
                          && isInTransaction(holder.getConnection());
                    }));
    return together
        ? null
        : "a transaction of "
            + manager.getClass().getName()
            + " is not on the data source that has Onceward's tables, so claim and business SQL"
            + " would not commit together. Name the two that belong together by"
            + " onceward.jdbc.data-source and onceward.jdbc.transaction-manager, or use"
            + " @Once(effect = OUTSIDE).";
  }

  private static boolean isInTransaction(Connection connection) {
    try {
      return !connection.getAutoCommit();
    } catch (SQLException e) {
      throw new IllegalStateException("the transaction manager could not be looked at", e);
    }
  }
}
