package io.onceward.jdbc;

import io.onceward.Refusal;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.StoreUnavailableException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What may be asked and said of a request beside running it, in both homes, which share one table:
 * what became of it, that it is not to run any more, that its reply was taken, that old ones are to
 * be forgotten (O1, O2, K2, K4).
 */
final class Records {
  private static final int FORGET_AT_ONCE = 1_000;

  private final DataSource dataSource;

  Records(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  GuardedOutcome outcome(GuardedId id) {
    return Step.take(
        dataSource,
        RecordSql.OUTCOME,
        statement -> RequestRow.setIdentity(statement, 1, id),
        results -> {
          try (ResultSet row = results.rows()) {
            row.next();
            return row.getString("state") == null
                ? unseen(id, row.getLong("horizon"), row.getLong("undated"))
                : outcome(RequestRow.read(row));
          }
        });
  }

  private static GuardedOutcome unseen(GuardedId id, long horizon, long undated) {
    if (id.key().isDated()) {
      return id.key().dateMicros() <= horizon
          ? new GuardedOutcome.NoRecordSince(horizon)
          : new GuardedOutcome.NeverSeen();
    }
    return undated >= 0
        ? new GuardedOutcome.NoRecordSince(undated)
        : new GuardedOutcome.NeverSeen();
  }

  private static GuardedOutcome outcome(RequestRow row) {
    return switch (row.state()) {
      case DONE -> new GuardedOutcome.Executed(row.reply(), row.started());
      case STARTED -> new GuardedOutcome.Running(row.leaseLeftMillis());
      case UNKNOWN -> new GuardedOutcome.Unknown(row.unknown());
      case RELEASED -> new GuardedOutcome.DidNotHappen();
      case ACKNOWLEDGED -> new GuardedOutcome.Acknowledged();
      case ABANDONED -> new GuardedOutcome.Abandoned();
    };
  }

  /** Waits for a transaction that is deciding the request, in steps of a second. */
  GuardedAbandonment abandon(GuardedId id, long retentionMillis, long waitMillis) {
    long deadline = System.nanoTime() + waitMillis * 1_000_000L;
    while (true) {
      try {
        Optional<GuardedAbandonment> answer = tryAbandon(id, retentionMillis);
        if (answer.isPresent()) {
          return answer.get();
        }
        // What was in the way is gone again.
      } catch (StoreUnavailableException e) {
        if (!SqlStates.wasCutOff(e)) {
          throw e;
        }
        if (System.nanoTime() - deadline >= 0) {
          return new GuardedAbandonment.Undecided(
              new GuardedOutcome.Running(JdbcClaimStore.LOCK_MILLIS));
        }
      }
    }
  }

  private Optional<GuardedAbandonment> tryAbandon(GuardedId id, long retentionMillis) {
    boolean dated = id.key().isDated();
    return Step.take(
        dataSource,
        dated ? RecordSql.ABANDON_DATED : RecordSql.ABANDON,
        statement -> {
          int at = RequestRow.setAsk(statement, 1, new Ask(id, null, ""));
          statement.setLong(at++, retentionMillis);
          statement.setLong(at++, retentionMillis);
          if (dated) {
            statement.setLong(at++, id.key().dateMicros());
            statement.setLong(at++, id.key().dateMicros());
            at = RequestRow.setIdentity(statement, at, id);
            statement.setLong(at++, id.key().dateMicros());
          }
          at = RequestRow.setIdentity(statement, at, id);
          statement.setLong(at++, retentionMillis);
          statement.setLong(at++, retentionMillis);
          at = RequestRow.setIdentity(statement, at, id);
          RequestRow.setIdentity(statement, at, id);
        },
        results -> {
          for (int counts = dated ? 4 : 3; counts > 0; counts--) {
            results.count();
          }
          try (ResultSet row = results.rows()) {
            row.next();
            return row.getString("state") == null
                ? refused(id, row)
                : abandoned(RequestRow.read(row));
          }
        });
  }

  private static Optional<GuardedAbandonment> refused(GuardedId id, ResultSet row)
      throws SQLException {
    Refusal refusal = null;
    if (id.key().isDated()) {
      long date = id.key().dateMicros();
      if (date <= row.getLong("horizon")) {
        refusal = Refusal.FORGOTTEN;
      } else if (date > row.getLong("future")) {
        refusal = Refusal.FROM_THE_FUTURE;
      }
    }
    return Optional.ofNullable(refusal).map(why -> new GuardedAbandonment.Refused(why, ""));
  }

  private static Optional<GuardedAbandonment> abandoned(RequestRow row) {
    return switch (row.state()) {
      case DONE -> Optional.of(new GuardedAbandonment.Executed(row.reply()));
      case STARTED, UNKNOWN -> Optional.of(new GuardedAbandonment.Undecided(outcome(row)));
      case ACKNOWLEDGED -> Optional.of(new GuardedAbandonment.Refused(Refusal.ACKNOWLEDGED, ""));
      case ABANDONED -> Optional.of(new GuardedAbandonment.Closed(row.id().key().isDated()));
      // Released by another process between two statements.
      case RELEASED -> Optional.empty();
    };
  }

  boolean acknowledge(GuardedId id) {
    return Step.take(
        dataSource,
        RecordSql.ACKNOWLEDGE,
        statement -> RequestRow.setIdentity(statement, 1, id),
        results -> results.count() == 1);
  }

  long countOlderThan(Instant started) {
    return Step.take(
        dataSource,
        RecordSql.COUNT_OLDER,
        statement -> statement.setLong(1, micros(started)),
        results -> {
          try (ResultSet row = results.rows()) {
            row.next();
            return row.getLong(1);
          }
        });
  }

  /**
   * In batches. A batch that was committed stays forgotten if a later one fails. What others hold
   * is left for the end, and waited for.
   */
  long forget(Instant started) {
    long forgotten = 0;
    try (OwnTransaction transaction = OwnTransaction.begin(dataSource)) {
      Connection connection = transaction.connection();
      boolean waits = false;
      while (true) {
        int dropped = Cleaning.forget(connection, micros(started), FORGET_AT_ONCE, waits);
        forgotten += dropped;
        if (dropped == 0 && Cleaning.countOlder(connection, micros(started)) == 0) {
          transaction.committed();
          return forgotten;
        }
        if (dropped == 0 && waits) {
          throw notEverything(forgotten, null);
        }
        waits = dropped == 0;
      }
    } catch (SQLException e) {
      throw notEverything(forgotten, e);
    }
  }

  private static StoreUnavailableException notEverything(
      long forgotten, @Nullable SQLException why) {
    String held =
        why != null && SqlStates.LOCK_NOT_AVAILABLE.equals(why.getSQLState())
            ? "; another transaction holds what is left"
            : "";
    return new StoreUnavailableException(
        "the database did not forget everything, but " + forgotten + " requests" + held, why);
  }

  private static long micros(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
  }
}
