package io.onceward.spring;

import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Ruling;
import io.onceward.jdbc.OnceTransaction;
import io.onceward.jdbc.TransactionRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.CannotCreateTransactionException;
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
 * <p>Where one of the same manager is open already, it is joined, and its owner commits: a business
 * error is undone up to a savepoint and recorded in it. A transaction of another manager is left
 * alone; what it commits or rolls back is not what this home remembers.
 */
final class TransactionHome implements Home {
  private static final Log LOG = LogFactory.getLog(Once.class);

  private final OnceTransaction once;
  private final ManagedTransactions transactions;
  private final TransactionAttributeSource attributes;
  private final ManagerOfMethods managers;
  private boolean lookedAt;
  private @Nullable String objection;

  TransactionHome(
      OnceTransaction once,
      ManagedTransactions transactions,
      TransactionAttributeSource attributes,
      ManagerOfMethods managers) {
    this.once = once;
    this.transactions = transactions;
    this.attributes = attributes;
    this.managers = managers;
  }

  @Override
  public Ruling decide(Ask ask, Call call) {
    TransactionStatus open = transactions.open();
    return open == null ? owned(ask, call) : joined(ask, call, open);
  }

  @Override
  public GuardedOutcome outcome(GuardedId id) {
    return once.outcome(id);
  }

  @Override
  public String guarantee() {
    return "exactly-once (transaction)";
  }

  @Override
  public @Nullable String objection(OnceMethod method) {
    if (!lookedAt) {
      objection = transactions.objection();
      lookedAt = true;
    }
    if (objection != null) {
      return objection;
    }
    TransactionAttribute attribute = attributeOf(method);
    if (attribute == null) {
      return null;
    }
    if (!transactions.areOf(managers.of(attribute, method.target()))) {
      return "the manager of its @Transactional is not the one that Onceward's transactions are of,"
          + " so its writes would not commit together with the claim. Name the same manager in both"
          + " (onceward.jdbc.transaction-manager), or use @Once(effect = OUTSIDE).";
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

  private Ruling joined(Ask ask, Call call, TransactionStatus participant) {
    ConnectionHolder bound = transactions.bound();
    boolean untouched = false;
    try {
      boolean doomed = bound.isRollbackOnly();
      Ruling ruling = once.decideWithin(bound.getConnection(), ask, any -> worked(call));
      untouched = !hasUndone(ruling, call);
      if (!untouched && !doomed) {
        // Transactions inside have marked the whole as failed, on seeing the exception. All that
        // they did is undone up to the savepoint; whether to go on is for the owner to say.
        bound.resetRollbackOnly();
      }
      return ruling;
    } catch (Ended e) {
      return new Ruling.DidNotHappen(e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      if (!untouched && !transactions.isOfJdbcAlone()) {
        // A persistence context knows nothing of savepoints: its next flush would write again
        // what was undone.
        participant.setRollbackOnly();
        transactions.manager().rollback(participant);
      }
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
    return call.runUndoably(() -> transactions.participant().flush());
  }

  private Ruling owned(Ask ask, Call call) {
    TransactionTemplate template =
        new TransactionTemplate(transactions.manager(), definitionOf(call.method()));
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
                try {
                  Connection connection = transactions.bound().getConnection();
                  Ruling ruling = inside.decide(connection);
                  attempt.commitIsNext(ruling);
                  if (hasUndone(ruling, call)) {
                    attempt.commitBegins();
                    connection.commit();
                    attempt.committed(ruling);
                    status.setRollbackOnly();
                  }
                  return ruling;
                } catch (Exception e) {
                  throw attempt.failed(e);
                }
              }),
          "a transaction ended without a ruling");
    } catch (RuntimeException e) {
      Ruling committed = attempt.committed;
      if (committed != null) {
        LOG.error("committed, but what was to follow the commit failed", e);
        return committed;
      }
      return notCommitted(attempt, e);
    }
  }

  private static Ruling notCommitted(Attempt attempt, RuntimeException failure) throws Exception {
    if (failure instanceof CannotCreateTransactionException && isOfTheDatabase(failure)) {
      return new Ruling.NoStore(failure);
    }
    if (attempt.failure != null) {
      // Not what the template threw: if the rollback failed too, that would hide the reason.
      throw attempt.failure;
    }
    if (attempt.commitWasPrevented() && attempt.decidedWithoutRunning()) {
      // It wrote nothing, and what it found was committed before.
      return Objects.requireNonNull(attempt.decided);
    }
    if (attempt.commitWasPrevented() && !OnceTransaction.mustRunAgain(failure)) {
      return new Ruling.DidNotHappen(failure);
    }
    throw failure;
  }

  /** Not of a manager that cannot begin a transaction here, whatever the database does. */
  private static boolean isOfTheDatabase(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof SQLException) {
        return true;
      }
    }
    return false;
  }

  /**
   * How far a transaction came. It tells a failure of the commit, after which nobody knows, from
   * one before it, of a listener for example or because a transaction inside had given up: after
   * that nothing was committed. And it tells one after it, of what waits for the commit: whatever
   * that says, of another SQL error for example, this transaction was committed.
   */
  private static final class Attempt implements TransactionSynchronization {
    private @Nullable Exception failure;
    private @Nullable Ruling decided;
    private @Nullable Ruling committed;
    private boolean commitIsNext;
    private boolean commitBegun;

    RuntimeException failed(Exception e) {
      failure = e;
      return e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
    }

    /** All is decided; now those are asked who came before this, and then this. */
    void commitIsNext(Ruling ruling) {
      commitIsNext = true;
      decided = ruling;
      TransactionSynchronizationManager.registerSynchronization(this);
    }

    @Override
    public void beforeCommit(boolean readOnly) {
      commitBegins();
    }

    void commitBegins() {
      commitBegun = true;
    }

    /** Whatever fails from now on, it has happened, and copies are given this. */
    void committed(@Nullable Ruling ruling) {
      committed = ruling;
    }

    @Override
    public void afterCompletion(int status) {
      if (status == STATUS_COMMITTED) {
        committed(decided);
      }
    }

    /** Whether the decision was found, a replay or a refusal, so that it needs no commit. */
    boolean decidedWithoutRunning() {
      return !(decided instanceof Ruling.Replied replied) || replied.replay();
    }

    boolean commitWasPrevented() {
      return commitIsNext && !commitBegun;
    }
  }
}
