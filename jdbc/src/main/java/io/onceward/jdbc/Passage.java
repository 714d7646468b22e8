package io.onceward.jdbc;

import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.Meaning;
import io.onceward.guard.Ruling;
import io.onceward.jdbc.Outcome.Decided;
import io.onceward.jdbc.Outcome.Doubt;
import io.onceward.jdbc.Outcome.RunAgain;
import io.onceward.jdbc.Outcome.WaitCut;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One request through one transaction: claim, work, reply. Either the transaction is its own, then
 * recording the reply commits it and everything else leaves it to be rolled back; or it is joined,
 * then only a reply leaves something in it.
 */
final class Passage {
  private final TransactionTerms terms;
  private final UUID database;
  private final Connection connection;
  private final Ask ask;
  private final boolean joined;

  /**
   * Whether the scope accepts no new id of this kind (K5). Asked before anything is claimed, since
   * it is the user's to say and may throw.
   */
  private final boolean mustBeKnown;

  private final TransactionSteps steps;

  /**
   * @param database in which the transaction has to be
   */
  Passage(TransactionTerms terms, UUID database, Connection connection, Ask ask, boolean joined) {
    this.terms = terms;
    this.database = database;
    this.connection = connection;
    this.ask = ask;
    this.joined = joined;
    this.mustBeKnown = !ask.id().key().isDated() && terms.datedOnly().test(ask.id().scope());
    this.steps = new TransactionSteps(connection, ask, joined);
  }

  /** The whole way. */
  Outcome pass(Work work, long waitMillis) {
    Ruling known;
    try {
      known = claim(waitMillis);
    } catch (SQLException e) {
      return claimFailed(e);
    }
    if (known != null) {
      return new Decided(known);
    }
    Reply reply;
    try {
      reply =
          Objects.requireNonNull(
              work.run(joined ? connection : LentConnection.of(connection)),
              "the work returned no reply");
    } catch (Exception e) {
      return workFailed(e);
    } catch (Error e) {
      if (joined) {
        undo(e);
      }
      throw e;
    }
    return reply.kind() == Reply.Kind.BUSINESS_ERROR
        ? businessError(reply, false)
        : recorded(reply, remembered -> steps.record(remembered));
  }

  /** What is known of the request, or null if it is ours to run. */
  private @Nullable Ruling claim(long waitMillis) throws SQLException {
    long deadline = System.nanoTime() + waitMillis * 1_000_000L;
    while (true) {
      TransactionSteps.Taken taken = steps.claim(millisUntil(deadline), terms.retentionMillis());
      if (taken != null) {
        return ours(taken);
      }
      TransactionSteps.Found found = steps.find();
      requireOurDatabase(found.database());
      RequestRow row = found.row();
      if (row == null) {
        if (found.forgotten()) {
          return new Ruling.Refused(Refusal.FORGOTTEN, "");
        }
        if (found.fromTheFuture()) {
          return new Ruling.Refused(Refusal.FROM_THE_FUTURE, "");
        }
        // What was in the way is not visible: another transaction is at it, or it is gone again.
      } else if (row.mismatches(ask)) {
        return new Ruling.Refused(Refusal.MISMATCH, "");
      } else if (row.state() != RequestRow.State.RELEASED) {
        return known(row);
      } else if (mustBeKnown) {
        return new Ruling.Refused(Refusal.UNDATED, "");
      } else if (steps.takeOver(row, millisUntil(deadline), terms.retentionMillis())) {
        return null;
      } else {
        steps.undoClaim();
      }
      if (millisUntil(deadline) <= 0) {
        return new Ruling.InProgress(terms.retryAfter());
      }
    }
  }

  private static long millisUntil(long deadline) {
    return (deadline - System.nanoTime()) / 1_000_000L;
  }

  private @Nullable Ruling ours(TransactionSteps.Taken taken) throws SQLException {
    if (joined && !database.equals(taken.database())) {
      steps.undoClaim();
      requireOurDatabase(taken.database());
    }
    if (!taken.forgotten() && !mustBeKnown) {
      return null;
    }
    steps.undoClaim();
    return new Ruling.Refused(taken.forgotten() ? Refusal.FORGOTTEN : Refusal.UNDATED, "");
  }

  private void requireOurDatabase(@Nullable UUID found) {
    if (!database.equals(found)) {
      throw new MisuseException(
          "the connection is of another database than the OnceTransaction: claim and business SQL"
              + " would not be one transaction. Use the connection of the data source that the"
              + " OnceTransaction was built on.");
    }
  }

  private static Ruling known(RequestRow row) {
    return switch (row.state()) {
      case DONE -> new Ruling.Replied(row.reply(), true);
      case STARTED -> new Ruling.InProgress(Duration.ofMillis(row.leaseLeftMillis()));
      case UNKNOWN -> new Ruling.Unknown(row.why(), null);
      case ACKNOWLEDGED -> new Ruling.Refused(Refusal.ACKNOWLEDGED, "");
      case ABANDONED -> new Ruling.Refused(Refusal.ABANDONED, "");
      case RELEASED -> throw new IllegalStateException("a released request is run: " + row.id());
    };
  }

  private Outcome claimFailed(SQLException e) {
    if (SqlStates.callForAnotherRun(e)) {
      return new RunAgain(e, Doubt.NONE);
    }
    if (joined) {
      undo(e);
    }
    return switch (Objects.requireNonNullElse(SqlStates.of(e), "")) {
      case SqlStates.QUERY_CANCELED -> new WaitCut();
      case SqlStates.LOCK_NOT_AVAILABLE -> new Decided(new Ruling.InProgress(terms.retryAfter()));
      case SqlStates.READ_ONLY_TRANSACTION -> readOnly(e);
      case SqlStates.UNDEFINED_TABLE, SqlStates.UNDEFINED_COLUMN ->
          throw new MisuseException(
              "the database of this connection does not have Onceward's tables; see Schema.create",
              e);
      default -> new Decided(new Ruling.NoStore(e));
    };
  }

  /**
   * A server that takes no writes, such as a standby before its promotion, may take them soon. A
   * transaction that the caller made read-only never will.
   */
  private Outcome readOnly(SQLException e) {
    if (joined && !serverIsReadOnly(e)) {
      throw new MisuseException(
          "the transaction is read-only, so nothing can be remembered in it", e);
    }
    return new RunAgain(e, Doubt.NONE);
  }

  private boolean serverIsReadOnly(SQLException because) {
    try {
      return steps.serverIsReadOnly();
    } catch (SQLException e) {
      because.addSuppressed(e);
      return true;
    }
  }

  private Outcome workFailed(Exception e) {
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    if (OnceTransaction.mustRunAgain(e)) {
      return new RunAgain(e, SqlStates.doubtOf(e));
    }
    Reply error = asBusinessError(e);
    if (error != null) {
      return businessError(error, SqlStates.of(e) != null);
    }
    if (joined) {
      undo(e);
    }
    return new Decided(new Ruling.DidNotHappen(e));
  }

  /** What is remembered of it; null if it is none, or nobody can say what it is. */
  private @Nullable Reply asBusinessError(Exception e) {
    if (e instanceof NotCommittedException) {
      return null;
    }
    try {
      return terms.classify().apply(e) == Meaning.BUSINESS_ERROR
          ? Reply.businessError(terms.businessReply().apply(e))
          : null;
    } catch (RuntimeException confused) {
      e.addSuppressed(confused);
      return null;
    }
  }

  private Outcome businessError(Reply reply, boolean mayBeAborted) {
    return recorded(reply, remembered -> steps.undoWorkAndRecord(remembered, mayBeAborted));
  }

  /** Writes a reply. */
  private interface Recording {
    void write(Reply reply) throws SQLException;
  }

  private Outcome recorded(Reply reply, Recording recording) {
    Reply remembered = terms.remembered(reply);
    try {
      recording.write(remembered);
      return new Decided(new Ruling.Replied(remembered, false));
    } catch (SQLException e) {
      return recordFailed(e);
    } catch (RuntimeException e) {
      // Of the driver or of a pool around it. What it means for the commit, nobody can tell.
      if (joined) {
        throw e;
      }
      return new RunAgain(e, Doubt.COMMIT);
    }
  }

  private Outcome recordFailed(SQLException e) {
    if (TransactionSql.saysEnded(e)) {
      throw new MisuseException(
          "the work ended the transaction that it was given, by an SQL statement or behind its"
              + " proxy, or left the search path on another onceward_request. What it committed"
              + " stays, and then retries of this request are told FAILED; the rest is rolled back.",
          e);
    }
    if (TransactionSql.saysPassed(e)) {
      // The next claim is refused as forgotten.
      return new RunAgain(e, Doubt.NONE);
    }
    if (SqlStates.IN_FAILED_TRANSACTION.equals(SqlStates.of(e))) {
      return new RunAgain(
          new RunAgainException(
              "the work swallowed an SQL error: its transaction was aborted, and it returned as if"
                  + " it was not. An exception that names the SQL error as its cause tells more.",
              false,
              e),
          Doubt.REASON);
    }
    if (!joined && SqlStates.leavesCommitOpen(e)) {
      return new RunAgain(e, Doubt.COMMIT);
    }
    if (SqlStates.callForAnotherRun(e)) {
      return new RunAgain(e, Doubt.NONE);
    }
    if (joined) {
      undo(e);
    }
    return new Decided(new Ruling.DidNotHappen(e));
  }

  /**
   * Leaves the transaction of the caller as it was; if that fails, it is aborted and can only roll
   * back.
   */
  private void undo(Throwable because) {
    try {
      steps.undoClaim();
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }
}
