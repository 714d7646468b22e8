package io.onceward.jdbc;

import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardException;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Ruling;
import io.onceward.guard.StoreUnavailableException;
import io.onceward.jdbc.Outcome.CommitFailed;
import io.onceward.jdbc.Outcome.Decided;
import io.onceward.jdbc.Outcome.Doubt;
import io.onceward.jdbc.Outcome.RunAgain;
import io.onceward.jdbc.Outcome.WaitCut;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Makes business SQL happen once: claim, business SQL and reply commit in one PostgreSQL
 * transaction (G5). What always holds:
 *
 * <ul>
 *   <li>A request id takes effect at most once, and every copy is given the reply of the one that
 *       committed, success and business error alike.
 *   <li>No reply leaves before its transaction has committed.
 *   <li>A copy that comes at the same time waits: in this process without a connection, in other
 *       processes on the row; at most as long as {@link OnceTransactionBuilder#waitAtMost} says.
 *   <li>Serialization failures, deadlocks and broken connections are never taken for an answer: the
 *       whole runs again. A commit whose answer was lost is settled by claiming again, which waits
 *       until the database knows.
 * </ul>
 *
 * <p>There are three doors. {@link #decide(Ask, Work)} takes a connection from the data source and
 * does all of it. {@link #decide(Ask, Work, TransactionRunner)} does the same where something else
 * manages transactions. {@link #decideWithin} joins a transaction that the caller commits; read
 * there what the caller must do. A call of the first inside a {@link Work} of the same object, on
 * the same thread, joins that transaction.
 */
public final class OnceTransaction {
  /**
   * Runs of work that swallows SQL errors: enough for deadlocks, few for errors that come each
   * time.
   */
  private static final int RUNS_IN_DOUBT = 3;

  private final DataSource dataSource;
  private final TransactionTerms terms;
  private final UUID database;
  private final Records records;
  private final Flights flights = new Flights();
  private final ThreadLocal<Deque<Open>> open = ThreadLocal.withInitial(ArrayDeque::new);

  /** A request that this thread is working on, in this transaction. */
  private record Open(GuardedId id, Connection connection) {}

  OnceTransaction(DataSource dataSource, TransactionTerms terms, UUID database) {
    this.dataSource = dataSource;
    this.terms = terms;
    this.database = database;
    records = new Records(dataSource);
  }

  /**
   * On the data source of the business SQL; the tables are in its database (see {@link Schema}).
   */
  public static OnceTransactionBuilder on(DataSource dataSource) {
    return new OnceTransactionBuilder(dataSource);
  }

  /**
   * Runs the work once, in a transaction of its own.
   *
   * @return {@link Ruling.Replied}; {@link Ruling.Refused}; {@link Ruling.InProgress} if another
   *     copy did not end in time; {@link Ruling.DidNotHappen} if the work threw something that is
   *     no business error, or could not commit: all is rolled back; {@link Ruling.NoStore} without
   *     a database; {@link Ruling.Unknown} if a commit's answer was lost and the database could not
   *     be asked any more: send the same id again. Never before the commit.
   * @throws IllegalStateException if something is set up wrongly; the message says what
   */
  public Ruling decide(Ask ask, Work work) {
    Open outer = open.get().peek();
    return told(
        ask,
        outer != null
            ? () -> nested(outer.connection(), ask, work)
            : () -> coalesced(ask, work, (run, wait) -> inOwnTransaction(ask, run, wait)));
  }

  /**
   * The same for those who only want the reply, be it a success or a business error.
   *
   * @throws GuardException if there is none; it is the same as of {@link io.onceward.guard.Once}
   * @throws Exception what the work threw, unless it is a business error; nothing happened
   */
  public Reply execute(Ask ask, Work work) throws Exception {
    Ruling ruling = decide(ask, work);
    if (ruling instanceof Ruling.Replied replied) {
      return replied.reply();
    }
    if (ruling instanceof Ruling.DidNotHappen failed && failed.cause() instanceof Exception cause) {
      throw cause;
    }
    throw GuardException.of(ask.id(), ruling);
  }

  /** As {@link #decide(Ask, Work)}, in transactions that somebody else begins and commits. */
  public Ruling decide(Ask ask, Work work, TransactionRunner runner) {
    return told(
        ask, () -> coalesced(ask, work, (run, wait) -> inTransactionOf(runner, ask, run, wait)));
  }

  /**
   * Runs the work once, within the transaction that is open on this connection. Claims now, records
   * the reply at the end of the work, commits nothing. The caller
   *
   * <ol>
   *   <li>commits the outermost transaction, also if the reply is a business error: its record is
   *       in there, and the writes of the work are undone already;
   *   <li>shows the ruling to nobody outside of this transaction before that commit has succeeded;
   *   <li>on {@link RunAgainException}, or if the commit fails so that {@link #mustRunAgain} is
   *       true, rolls back and runs the whole transaction again from its beginning;
   *   <li>if the commit's answer is lost, asks again under the same id in a new transaction, which
   *       waits for the fate of the lost one.
   * </ol>
   *
   * <p>After any other exception, and after every ruling that is no reply, the transaction is as it
   * was before the call and may go on. In-process copies wait in the database here, each on the
   * connection that it has already; prefer the other doors where they fit.
   *
   * @throws IllegalStateException if the connection is in autocommit mode, read-only, or of another
   *     database than this object's
   * @throws Exception what the work threw, unless it is a business error; its writes are undone and
   *     the claim is gone
   */
  public Ruling decideWithin(Connection connection, Ask ask, Work work) throws Exception {
    requireNotOpen(ask.id());
    long begun = System.nanoTime();
    Ruling ruling = joined(connection, ask, work, terms.waitMillis());
    terms.listener().ruled(ask, ruling, System.nanoTime() - begun);
    return ruling;
  }

  /**
   * Whether an exception, of a commit for example, means that the transaction should be run again:
   * SQLSTATE classes 40 and 08, the server's end of the session, and a transaction that was aborted
   * by an error which is no longer known.
   */
  public static boolean mustRunAgain(Throwable failure) {
    for (Throwable at = failure; at != null && at != at.getCause(); at = at.getCause()) {
      if (at instanceof RunAgainException) {
        return true;
      }
    }
    return SqlStates.callForAnotherRun(failure);
  }

  /**
   * What is known of a request (O1). Decides nothing: a transaction that is deciding it is not seen
   * before it commits.
   *
   * @throws StoreUnavailableException if the database did not answer
   */
  public GuardedOutcome outcome(GuardedId id) {
    return records.outcome(id);
  }

  /**
   * Closes a request, unless it executed (O2). After {@link GuardedAbandonment.Closed} the same may
   * be asked under a new id: every late copy of this one is refused as {@code ABANDONED}. Waits for
   * a transaction that is deciding it, about as long as {@link OnceTransactionBuilder#waitAtMost}
   * says. In a transaction of its own, so not to be called by the work of the same request.
   *
   * @throws StoreUnavailableException if the database did not answer; abandoning again is safe
   */
  public GuardedAbandonment abandon(GuardedId id) {
    requireNotOpen(id);
    return records.abandon(id, terms.retentionMillis(), terms.waitMillis());
  }

  /**
   * The caller has taken the reply and will not send this id again: the reply need not be kept
   * (K2). A copy that comes all the same is refused as {@code ACKNOWLEDGED}.
   *
   * @return whether there was a reply to drop
   * @throws StoreUnavailableException if the database did not answer; saying it again is safe
   */
  public boolean acknowledge(GuardedId id) {
    requireNotOpen(id);
    return records.acknowledge(id);
  }

  /** How many records {@link #forget} would drop. */
  public long countOlderThan(Instant started) {
    return records.countOlderThan(started);
  }

  /**
   * Drops what is known of requests that were started before this moment, whatever their retention,
   * but for those of claim stores that are running or unknown (K4). Dated keys are refused as
   * {@code FORGOTTEN} from then on, undated ones run again.
   *
   * @return how many
   * @throws StoreUnavailableException if the database did not answer; forgetting again is safe
   */
  public long forget(Instant started) {
    return records.forget(started);
  }

  private Ruling told(Ask ask, Supplier<Ruling> deciding) {
    requireNotOpen(ask.id());
    long begun = System.nanoTime();
    Ruling ruling = deciding.get();
    terms.listener().ruled(ask, ruling, System.nanoTime() - begun);
    return ruling;
  }

  /** One transaction that decides the request, or not. */
  private interface Attempt {
    Outcome run(Work work, long waitMillis);
  }

  /** The first copy in this process goes on; the others wait for it here, without a connection. */
  private Ruling coalesced(Ask ask, Work work, Attempt attempt) {
    long deadline = System.nanoTime() + terms.waitMillis() * 1_000_000L;
    while (true) {
      Flights.Flight own = new Flights.Flight(ask);
      Flights.Flight first = flights.follow(own);
      if (first == null) {
        Ruling ruling = null;
        try {
          ruling = untilDecided(work, attempt, new Patience(deadline));
          return ruling;
        } finally {
          flights.land(own, ruling);
        }
      }
      try {
        Ruling ruling = first.await(deadline - System.nanoTime());
        if (ruling instanceof Ruling.Replied replied && sameAs(first.ask(), ask)) {
          return new Ruling.Replied(replied.reply(), true);
        }
        // It failed, or asked for something else: this copy looks for itself.
      } catch (TimeoutException e) {
        return new Ruling.InProgress(terms.retryAfter());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new Ruling.InProgress(terms.retryAfter());
      }
    }
  }

  private static boolean sameAs(Ask first, Ask ask) {
    return ask.fingerprint() == null || ask.fingerprint().equals(first.fingerprint());
  }

  private Ruling untilDecided(Work work, Attempt attempt, Patience patience) {
    boolean commitOpen = false;
    Throwable commitFailure = null;
    int doubts = 0;
    long begun = System.nanoTime();
    Work timed = patience.standingStillIn(work);
    int number = 1;
    while (true) {
      Outcome outcome;
      try {
        outcome =
            attempt.run(
                commitFailure == null ? timed : OnceTransaction::notCommitted,
                patience.leftMillis());
        patience.goesOn();
      } catch (RuntimeException e) {
        if (commitOpen) {
          return unsettled("the database could not be asked again", e);
        }
        throw e;
      }
      if (outcome instanceof WaitCut) {
        if (patience.leftMillis() > 0 && pause()) {
          continue;
        }
        outcome = new Decided(new Ruling.InProgress(terms.retryAfter()));
      }
      if (outcome instanceof Decided decided) {
        return commitOpen ? afterLostCommit(decided.ruling(), commitFailure) : decided.ruling();
      }
      Throwable cause;
      if (outcome instanceof CommitFailed failed) {
        commitOpen = true;
        commitFailure = failed.cause();
        cause = failed.cause();
        patience.beginsAnew(terms.waitMillis());
      } else {
        RunAgain again = (RunAgain) outcome;
        if (again.doubt() == Doubt.COMMIT) {
          // What is waited for then is the fate of its own transaction.
          commitOpen = true;
          patience.beginsAnew(terms.waitMillis());
        }
        doubts += again.doubt() == Doubt.REASON ? 1 : 0;
        cause = again.cause();
      }
      // A pool that gives no connection takes its time to say so: once is enough then.
      long taken = System.nanoTime() - begun;
      boolean lost = SqlStates.connectionIsGone(cause) && taken > terms.waitMillis() * 1_000_000L;
      if (number++ >= terms.attempts() || doubts >= RUNS_IN_DOUBT || lost || !pause()) {
        return gaveUp(cause, commitOpen);
      }
    }
  }

  /** Takes the place of the work where a claim is only to tell what became of a commit. */
  private static Reply notCommitted(Connection connection) {
    throw new NotCommittedException();
  }

  /**
   * What a claim after a lost commit tells. What it finds under way may be a copy of ours, so "not
   * this copy" would not be true; and what was dropped meanwhile may have been ours.
   */
  private static Ruling afterLostCommit(Ruling ruling, @Nullable Throwable commitFailure) {
    if (ruling instanceof Ruling.DidNotHappen failed
        && failed.cause() instanceof NotCommittedException) {
      return new Ruling.DidNotHappen(Objects.requireNonNull(commitFailure));
    }
    if (ruling instanceof Ruling.InProgress) {
      return unsettled("it is not settled", null);
    }
    if (ruling instanceof Ruling.NoStore gone) {
      return unsettled("the database could not be asked again", gone.cause());
    }
    return ruling instanceof Ruling.Refused refused && refused.refusal() != Refusal.MISMATCH
        ? unsettled("its record is gone: " + refused.refusal(), null)
        : ruling;
  }

  private static Ruling gaveUp(Throwable cause, boolean commitOpen) {
    if (commitOpen) {
      return unsettled("the database could not be asked again", cause);
    }
    return SqlStates.connectionIsGone(cause) || SqlStates.isReadOnly(cause)
        ? new Ruling.NoStore(cause)
        : new Ruling.DidNotHappen(cause);
  }

  private static Ruling unsettled(String why, @Nullable Throwable cause) {
    return new Ruling.Unknown("the answer to the commit was lost, and " + why, cause, true);
  }

  private boolean pause() {
    try {
      Thread.sleep(terms.retryMillis());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Outcome inOwnTransaction(Ask ask, Work work, long waitMillis) {
    try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
      Connection connection = transaction.connection();
      Outcome outcome =
          new Passage(terms, database, connection, ask, false)
              .pass(opened(ask, connection, work), waitMillis);
      if (outcome instanceof Decided decided
          && decided.ruling() instanceof Ruling.Replied replied
          && !replied.replay()) {
        transaction.committed();
      }
      return outcome;
    } catch (SQLException e) {
      return SqlStates.callForAnotherRun(e)
          ? new RunAgain(e, Doubt.NONE)
          : new Decided(new Ruling.NoStore(e));
    }
  }

  private Outcome inTransactionOf(TransactionRunner runner, Ask ask, Work work, long waitMillis) {
    Ruling[] beforeCommit = new Ruling[1];
    Outcome[] inside = new Outcome[1];
    try {
      Ruling ruling =
          runner.run(
              connection -> {
                inside[0] = attemptWithin(connection, ask, work, waitMillis);
                beforeCommit[0] = rulingOf(inside[0]);
                return beforeCommit[0];
              });
      return inside[0] instanceof WaitCut cut ? cut : new Decided(ruling);
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      Ruling ruling = beforeCommit[0];
      if (ruling != null) {
        // A replay was committed by another transaction, whatever becomes of this one.
        return ruling instanceof Ruling.Replied replied && replied.replay()
            ? new Decided(ruling)
            : commitFailed(e);
      }
      if (mustRunAgain(e)) {
        return new RunAgain(e, SqlStates.doubtOf(e));
      }
      if (e instanceof MisuseException misuse) {
        throw misuse;
      }
      return new Decided(new Ruling.DidNotHappen(e));
    }
  }

  /**
   * Whatever it says: it may have been thrown behind the commit, by a callback for example. Only a
   * claim tells whether the commit happened. What calls for another run is run again with that
   * claim, if it did not.
   */
  private static Outcome commitFailed(Exception e) {
    return SqlStates.callForAnotherRun(e) || SqlStates.hasNoState(e)
        ? new RunAgain(e, Doubt.COMMIT)
        : new CommitFailed(e);
  }

  private Ruling nested(Connection connection, Ask ask, Work work) {
    try {
      return joined(connection, ask, work, terms.waitMillis());
    } catch (RunAgainException | MisuseException e) {
      throw e;
    } catch (Exception e) {
      return new Ruling.DidNotHappen(e);
    }
  }

  private Ruling joined(Connection connection, Ask ask, Work work, long waitMillis)
      throws Exception {
    return rulingOf(attemptWithin(connection, ask, work, waitMillis));
  }

  private Outcome attemptWithin(Connection connection, Ask ask, Work work, long waitMillis)
      throws SQLException {
    if (connection.getAutoCommit()) {
      throw new MisuseException(
          "the connection is in autocommit mode: there is no transaction to join, and the business"
              + " SQL would commit without its reply. Call setAutoCommit(false) first.");
    }
    if (connection.isReadOnly()) {
      throw new MisuseException(
          "the connection is read-only, so nothing can be remembered in its transaction");
    }
    return new Passage(terms, database, connection, ask, true)
        .pass(opened(ask, connection, work), waitMillis);
  }

  /** What the owner of a joined transaction is told of it. */
  private Ruling rulingOf(Outcome outcome) throws Exception {
    if (outcome instanceof RunAgain again) {
      throw new RunAgainException(
          "the transaction has to be rolled back and run again",
          again.doubt() != Doubt.REASON,
          again.cause());
    }
    if (outcome instanceof WaitCut) {
      return new Ruling.InProgress(terms.retryAfter());
    }
    Ruling ruling = ((Decided) outcome).ruling();
    if (ruling instanceof Ruling.DidNotHappen failed) {
      if (failed.cause() instanceof Exception exception) {
        throw exception;
      }
      throw new IllegalStateException(failed.cause());
    }
    return ruling;
  }

  /** It would wait for itself, or be given its own claim for a reply. */
  private void requireNotOpen(GuardedId id) {
    for (Open outer : open.get()) {
      if (outer.id().equals(id)) {
        throw new MisuseException(
            "the work of the request " + id + " asks for the same request again");
      }
    }
  }

  /** The work, with this thread knowing that it is inside. */
  private Work opened(Ask ask, Connection connection, Work work) {
    Deque<Open> stack = open.get();
    return lent -> {
      stack.push(new Open(ask.id(), connection));
      try {
        return work.run(lent);
      } finally {
        stack.pop();
        if (stack.isEmpty()) {
          open.remove();
        }
      }
    };
  }
}
