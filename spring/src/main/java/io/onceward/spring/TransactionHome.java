package io.onceward.spring;

import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.Ruling;
import io.onceward.jdbc.OnceTransaction;
import io.onceward.jdbc.TransactionRunner;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Effects in the application's database: claim, business SQL and reply in one of Spring's
 * transactions (G5).
 *
 * <p>Where none is open, this home opens it and so owns it: deadlocks and lost commits run it
 * again, copies in this process wait without a connection. A business error then rolls the
 * transaction back, which undoes the writes and also what waits for a commit, such as events; and
 * is recorded in a second one. In between another process may run the same request; then its answer
 * is the answer, because of this one nothing is left.
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
    try {
      boolean doomed = isRollbackOnly();
      Ruling ruling = once.decideWithin(connection, ask, any -> call.run(true));
      if (!doomed && isBusinessError(ruling)) {
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
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  private static boolean isBusinessError(Ruling ruling) {
    return ruling instanceof Ruling.Replied replied
        && replied.reply().kind() == Reply.Kind.BUSINESS_ERROR;
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
    // Set when the method has ended with a business error, and its transaction is rolled back.
    Reply[] settled = new Reply[1];
    return once.decide(
        ask,
        any -> {
          if (settled[0] != null) {
            return settled[0];
          }
          try {
            return call.run(true);
          } catch (Ended e) {
            if (e.isBusinessError()) {
              throw new Undone(e);
            }
            throw e;
          }
        },
        inside -> {
          try {
            return inTransaction(template, inside);
          } catch (Undone e) {
            settled[0] = Reply.businessError(e.ended.error());
            return inTransaction(template, inside);
          } catch (CannotCreateTransactionException e) {
            return new Ruling.NoStore(e);
          }
        });
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

  private Ruling inTransaction(TransactionTemplate template, TransactionRunner.Inside inside)
      throws Exception {
    try {
      Ruling ruling =
          template.execute(
              status -> {
                Connection connection = DataSourceUtils.getConnection(dataSource);
                try {
                  return inside.decide(connection);
                } catch (RuntimeException e) {
                  throw e;
                } catch (Exception e) {
                  throw new Checked(e);
                } finally {
                  DataSourceUtils.releaseConnection(connection, dataSource);
                }
              });
      if (ruling == null) {
        throw new IllegalStateException("a transaction ended without a ruling");
      }
      return ruling;
    } catch (Checked e) {
      throw e.thrown;
    }
  }

  /** A checked exception on its way through Spring's template. */
  private static final class Checked extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Exception thrown;

    Checked(Exception thrown) {
      super(thrown.toString(), thrown, false, false);
      this.thrown = thrown;
    }
  }

  /** A business error whose transaction is rolled back first; a failure to the transaction. */
  private static final class Undone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Ended ended;

    Undone(Ended ended) {
      super(ended.toString(), ended, false, false);
      this.ended = ended;
    }
  }
}
