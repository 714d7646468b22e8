package io.onceward.spring;

import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.Ruling;
import io.onceward.jdbc.OnceTransaction;
import io.onceward.jdbc.TransactionRunner;
import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Effects in the application's database: claim, business SQL and reply in one of Spring's
 * transactions (G5).
 *
 * <p>Where none is open, this home opens it and so owns it: deadlocks and lost commits run it
 * again, copies in this process wait without a connection. A business error is undone up to a
 * savepoint, recorded and committed, all on the connection; to Spring the transaction is then
 * rolled back. So what waits for a commit does not hear of it, a persistence context is thrown
 * away, and it does not matter that transactions inside have marked the whole as failed.
 *
 * <p>Where one is open already, it is joined, and its owner commits: a business error is undone up
 * to a savepoint and recorded in it.
 */
final class TransactionHome implements Home {
  private final OnceTransaction once;
  private final DataSource dataSource;
  private final PlatformTransactionManager manager;
  private final TransactionAttributeSource attributes;

  TransactionHome(
      OnceTransaction once,
      DataSource dataSource,
      PlatformTransactionManager manager,
      TransactionAttributeSource attributes) {
    this.once = once;
    this.dataSource = dataSource;
    this.manager = manager;
    this.attributes = attributes;
  }

  @Override
  public Ruling decide(Ask ask, Call call) {
    return TransactionSynchronizationManager.isActualTransactionActive()
        ? joined(ask, call)
        : owned(ask, call);
  }

  @Override
  public String guarantee() {
    return "exactly-once (transaction)";
  }

  @Override
  public @Nullable String objection(OnceMethod method) {
    TransactionAttribute attribute = attributeOf(method);
    if (attribute == null) {
      return null;
    }
    if (attribute.isReadOnly()) {
      return "its transaction is read-only, so nothing could be remembered in it";
    }
    return switch (attribute.getPropagationBehavior()) {
      case TransactionAttribute.PROPAGATION_REQUIRED,
          TransactionAttribute.PROPAGATION_SUPPORTS,
          TransactionAttribute.PROPAGATION_NESTED ->
          null;
      default ->
          "the propagation of its @Transactional keeps its writes out of the transaction that has"
              + " the claim. Use REQUIRED, or @Once(effect = OUTSIDE).";
    };
  }

  private @Nullable TransactionAttribute attributeOf(OnceMethod method) {
    return attributes.getTransactionAttribute(method.method(), method.target());
  }

  private Ruling joined(Ask ask, Call call) {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    boolean untouched = false;
    try {
      boolean doomed = isRollbackOnly();
      Ruling ruling = once.decideWithin(connection, ask, any -> worked(call));
      untouched = !hasUndone(ruling, call);
      if (!untouched && !doomed) {
        // Transactions inside have marked the whole as failed, on seeing the exception. All that
        // they did is undone up to the savepoint; whether to go on is for the owner to say.
        saved();
      }
      return ruling;
    } catch (Ended e) {
      return new Ruling.DidNotHappen(e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      if (!untouched && !(manager instanceof DataSourceTransactionManager)) {
        // A persistence context knows nothing of savepoints: its next flush would write again
        // what was undone.
        failTheWhole();
      }
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  /**
   * Whether the method ran here and ended with a business error, so that its writes are undone. The
   * reply does not tell: an error that is too large to keep is remembered as just that.
   */
  private static boolean hasUndone(Ruling ruling, Call call) {
    return ruling instanceof Ruling.Replied replied && !replied.replay() && call.failure() != null;
  }

  /** The method, with its SQL sent: what the database says to it belongs to its answer. */
  private Reply worked(Call call) {
    return call.runUndoably(() -> participant().flush());
  }

  private void failTheWhole() {
    TransactionStatus participant = participant();
    participant.setRollbackOnly();
    manager.rollback(participant);
  }

  /** A view of the open transaction. It need not be completed, since it began nothing. */
  private TransactionStatus participant() {
    return manager.getTransaction(
        new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_SUPPORTS));
  }

  private boolean isRollbackOnly() {
    return TransactionSynchronizationManager.getResource(dataSource)
            instanceof ConnectionHolder held
        && held.isRollbackOnly();
  }

  private void saved() {
    if (TransactionSynchronizationManager.getResource(dataSource)
        instanceof ConnectionHolder held) {
      held.resetRollbackOnly();
    }
  }

  private Ruling owned(Ask ask, Call call) {
    TransactionTemplate template = new TransactionTemplate(manager, definitionOf(call.method()));
    return once.decide(ask, any -> worked(call), inside -> inTransaction(template, call, inside));
  }

  private DefaultTransactionDefinition definitionOf(OnceMethod method) {
    TransactionAttribute attribute = attributeOf(method);
    DefaultTransactionDefinition definition =
        attribute == null
            ? new DefaultTransactionDefinition()
            : new DefaultTransactionDefinition(attribute);
    definition.setPropagationBehavior(TransactionAttribute.PROPAGATION_REQUIRED);
    definition.setName(method.operation());
    return definition;
  }

  private Ruling inTransaction(
      TransactionTemplate template, Call call, TransactionRunner.Inside inside) throws Exception {
    Attempt attempt = new Attempt();
    try {
      return Objects.requireNonNull(
          template.execute(
              status -> {
                Connection connection = DataSourceUtils.getConnection(dataSource);
                try {
                  Ruling ruling = inside.decide(connection);
                  attempt.commitIsNext();
                  if (hasUndone(ruling, call)) {
                    attempt.commitBegins();
                    connection.commit();
                    status.setRollbackOnly();
                  }
                  return ruling;
                } catch (Exception e) {
                  throw attempt.failed(e);
                } finally {
                  DataSourceUtils.releaseConnection(connection, dataSource);
                }
              }),
          "a transaction ended without a ruling");
    } catch (CannotCreateTransactionException e) {
      return new Ruling.NoStore(e);
    } catch (RuntimeException e) {
      if (attempt.failure != null) {
        // Not what the template threw: if the rollback failed too, that would hide the reason.
        throw attempt.failure;
      }
      if (attempt.commitWasPrevented() && !OnceTransaction.mustRunAgain(e)) {
        return new Ruling.DidNotHappen(e);
      }
      throw e;
    }
  }

  /**
   * How far a transaction came. It tells a failure of the commit, after which nobody knows, from
   * one before it, of a listener for example or because a transaction inside had given up: after
   * that nothing was committed.
   */
  private static final class Attempt implements TransactionSynchronization {
    private @Nullable Exception failure;
    private boolean commitIsNext;
    private boolean commitBegun;

    RuntimeException failed(Exception e) {
      failure = e;
      return e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
    }

    /** All is decided; now those are asked who came before this, and then this. */
    void commitIsNext() {
      commitIsNext = true;
      TransactionSynchronizationManager.registerSynchronization(this);
    }

    @Override
    public void beforeCommit(boolean readOnly) {
      commitBegins();
    }

    void commitBegins() {
      commitBegun = true;
    }

    boolean commitWasPrevented() {
      return commitIsNext && !commitBegun;
    }
  }
}
