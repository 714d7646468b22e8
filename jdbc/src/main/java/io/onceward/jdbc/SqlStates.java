package io.onceward.jdbc;

import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an SQLSTATE tells about the transaction in which it arose. Business code wraps exceptions of
 * its driver in exceptions of its own, so the whole chain of causes is looked at.
 */
final class SqlStates {
  static final String LOCK_NOT_AVAILABLE = "55P03";
  static final String QUERY_CANCELED = "57014";
  static final String READ_ONLY_TRANSACTION = "25006";
  static final String UNDEFINED_TABLE = "42P01";
  static final String UNDEFINED_COLUMN = "42703";

  /** The transaction had been aborted by an earlier error, whose own exception may be lost. */
  static final String IN_FAILED_TRANSACTION = "25P02";

  private SqlStates() {}

  /**
   * Whether a statement was cut off, as one is that waits for a lock for too long: by a
   * lock_timeout, or by a statement_timeout of the user's that is shorter.
   */
  static boolean wasCutOff(Throwable failure) {
    String state = of(failure);
    return LOCK_NOT_AVAILABLE.equals(state) || QUERY_CANCELED.equals(state);
  }

  /** The SQLSTATE of the first SQL exception along the causes, or null if there is none. */
  static @Nullable String of(Throwable failure) {
    SQLException found = sqlException(failure);
    return found == null ? null : stateOf(found);
  }

  static @Nullable SQLException sqlException(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable at = failure; at != null && seen.add(at); at = at.getCause()) {
      if (at instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }

  /**
   * Whether the transaction failed for a reason that is no answer to the request: serialization and
   * deadlock (class 40), a broken connection (class 08), a server that shuts down or ends the
   * session (57P01 to 57P05), or an earlier error that is no longer known (25P02).
   */
  static boolean callForAnotherRun(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable at = failure; at != null && seen.add(at); at = at.getCause()) {
      if (at instanceof SQLException first) {
        for (SQLException sql = first; sql != null; sql = sql.getNextException()) {
          String state = stateOf(sql);
          if (state.startsWith("40") || state.equals(IN_FAILED_TRANSACTION) || breaks(state)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * Whether a commit that ended like this may still have happened: nothing but an SQLSTATE of the
   * server's proves that it did not, if the session goes on after it. A server that panics because
   * it cannot sync its log says why before it ends the session, and may find the commit there
   * later.
   */
  static boolean leavesCommitOpen(Throwable failure) {
    SQLException first = sqlException(failure);
    if (first == null) {
      return true;
    }
    for (SQLException sql = first; sql != null; sql = sql.getNextException()) {
      String state = stateOf(sql);
      if (state.isEmpty() || state.equals("40003") || breaks(state)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an SQL exception is among the causes whose reason the driver does not tell. */
  static boolean hasNoState(Throwable failure) {
    String state = of(failure);
    return state != null && state.isEmpty();
  }

  /** Whether the reason of a failed transaction is among the causes, or was swallowed. */
  static Outcome.Doubt doubtOf(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable at = failure; at != null && seen.add(at); at = at.getCause()) {
      if (at instanceof RunAgainException again) {
        return again.reasonKnown() ? Outcome.Doubt.NONE : Outcome.Doubt.REASON;
      }
    }
    return IN_FAILED_TRANSACTION.equals(of(failure)) ? Outcome.Doubt.REASON : Outcome.Doubt.NONE;
  }

  /** Whether there was no database to talk to, or not any more. */
  static boolean connectionIsGone(Throwable failure) {
    String state = of(failure);
    return state != null && breaks(state);
  }

  /** Whether the server took no writes. */
  static boolean isReadOnly(Throwable failure) {
    return READ_ONLY_TRANSACTION.equals(of(failure));
  }

  private static boolean breaks(String state) {
    return state.startsWith("08") || state.startsWith("57P");
  }

  private static String stateOf(SQLException exception) {
    String state = exception.getSQLState();
    return state == null ? "" : state;
  }
}
