package io.onceward.jdbc;

import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.Evidence;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.StoreUnavailableException;
import io.onceward.guard.UnknownRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The guard's memory in PostgreSQL, for effects outside of the database: {@code
 * Guard.on(JdbcClaimStore.on(dataSource))}. Every step is a transaction of its own, sent at once,
 * and never part of a transaction of the caller's: a claim has to outlive whatever the caller rolls
 * back.
 *
 * <p>It shares its table with {@link OnceTransaction}. An id that was used there is answered here
 * with the reply that it has there, and the other way round: one id is one request.
 *
 * <p>Sweeps only when it is told to; see {@link Sweeper}. Has no limit of its own: the disk is the
 * database's.
 */
public final class JdbcClaimStore implements ClaimStore {
  /** As in the transactional home (E9). */
  private static final int MAX_REPLY_BYTES = 1 << 20;

  /** How long a step waits for a transaction on the same id, which only OnceTransaction has. */
  static final int LOCK_MILLIS = 1_000;

  /** Refused completions that are kept of one request. */
  static final int MAX_EVIDENCE = 100;

  private final DataSource dataSource;
  private final Records records;

  private JdbcClaimStore(DataSource dataSource) {
    this.dataSource = dataSource;
    records = new Records(dataSource);
  }

  /**
   * On a database that has the tables (see {@link Schema}).
   *
   * @throws IllegalStateException if it is not PostgreSQL, or tables are missing
   * @throws StoreUnavailableException if it cannot be reached
   */
  public static JdbcClaimStore on(DataSource dataSource) {
    Schema.validate(dataSource);
    return new JdbcClaimStore(dataSource);
  }

  /**
   * Where its connections come from. A thread that holds one of a pool, for an open transaction,
   * and claims in the same pool, may wait for others that do the same.
   */
  public DataSource dataSource() {
    return dataSource;
  }

  @Override
  public Claimed claim(Ask ask, ClaimTerms terms) {
    Optional<Claimed> claimed = Optional.empty();
    while (claimed.isEmpty()) {
      // Not the first time: what was in the way is gone again.
      claimed = tryClaim(ask, terms);
    }
    return claimed.get();
  }

  private Optional<Claimed> tryClaim(Ask ask, ClaimTerms terms) {
    boolean dated = ask.id().key().isDated();
    try {
      return step(
          dated ? StoreSql.CLAIM_DATED : StoreSql.CLAIM,
          statement -> {
            int at = RequestRow.setAsk(statement, 1, ask);
            at = setTerms(statement, at, terms);
            if (dated) {
              statement.setLong(at++, ask.id().key().dateMicros());
              statement.setLong(at++, ask.id().key().dateMicros());
            }
            at = RequestRow.setIdentity(statement, at, ask.id());
            if (dated) {
              statement.setLong(at++, ask.id().key().dateMicros());
            }
            at = RequestRow.setIdentity(statement, at, ask.id());
            at = RequestRow.setDescription(statement, at, ask);
            at = setTerms(statement, at, terms);
            at = setIdentityAndFingerprint(statement, at, ask);
            RequestRow.setIdentity(statement, at, ask.id());
          },
          results -> readClaim(results, ask, dated));
    } catch (StoreUnavailableException e) {
      if (SqlStates.wasCutOff(e)) {
        // A transaction of the other home has it; it may end at any time.
        return Optional.of(new Claimed.Running(LOCK_MILLIS));
      }
      throw e;
    }
  }

  private static Optional<Claimed> readClaim(StepResults results, Ask ask, boolean dated)
      throws SQLException {
    // Inserted; for dated keys taken back, for others given a greater fence; lapsed, restarted.
    boolean started = results.count() == 1;
    boolean changed = results.count() == 1;
    started &= !dated || !changed;
    results.count();
    started |= results.count() == 1;
    try (ResultSet row = results.rows()) {
      row.next();
      if (row.getString("state") != null) {
        RequestRow found = RequestRow.read(row);
        return started ? Optional.of(new Claimed.Started(found.fence())) : known(found, ask);
      }
      if (dated && ask.id().key().dateMicros() <= row.getLong("horizon")) {
        return Optional.of(new Claimed.Refused(Refusal.FORGOTTEN));
      }
      return dated && ask.id().key().dateMicros() > row.getLong("future")
          ? Optional.of(new Claimed.Refused(Refusal.FROM_THE_FUTURE))
          : Optional.empty();
    }
  }

  private static Optional<Claimed> known(RequestRow found, Ask ask) {
    if (found.mismatches(ask)) {
      return Optional.of(new Claimed.Refused(Refusal.MISMATCH));
    }
    return switch (found.state()) {
      case DONE -> Optional.of(new Claimed.Done(found.reply()));
      case STARTED -> Optional.of(new Claimed.Running(found.leaseLeftMillis()));
      case UNKNOWN -> Optional.of(new Claimed.Unknown(found.unknown()));
      case ACKNOWLEDGED -> Optional.of(new Claimed.Refused(Refusal.ACKNOWLEDGED));
      case ABANDONED -> Optional.of(new Claimed.Refused(Refusal.ABANDONED));
      // Released by another process between two statements.
      case RELEASED -> Optional.empty();
    };
  }

  @Override
  public Claimed rerun(Ask ask, long fence, ClaimTerms terms) {
    long started =
        step(
            StoreSql.RERUN,
            statement -> {
              int at = RequestRow.setDescription(statement, 1, ask);
              at = setTerms(statement, at, terms);
              at = setIdentityAndFingerprint(statement, at, ask);
              statement.setLong(at, fence);
            },
            results -> {
              try (ResultSet row = results.rows()) {
                return row.next() ? row.getLong(1) : 0L;
              }
            });
    return started > 0 ? new Claimed.Started(started) : claim(ask, terms);
  }

  @Override
  public boolean done(GuardedId id, long fence, Reply reply) {
    if (reply.bytes().length() > MAX_REPLY_BYTES) {
      throw new IllegalArgumentException(
          "a reply has at most " + MAX_REPLY_BYTES + " bytes, got " + reply.bytes().length());
    }
    boolean taken =
        step(
            StoreSql.DONE,
            statement -> {
              int at = setReply(statement, 1, reply);
              at = RequestRow.setIdentity(statement, at, id);
              statement.setLong(at, fence);
            },
            results -> results.count() == 1);
    return taken || wasTaken(id, fence, reply);
  }

  /** Whether the same completion had been taken before; if not, it is kept as evidence. */
  private boolean wasTaken(GuardedId id, long fence, Reply reply) {
    return step(
        StoreSql.LATE,
        statement -> {
          int at = setReply(statement, 1, reply);
          statement.setLong(at++, fence);
          RequestRow.setIdentity(statement, at, id);
        },
        StepResults::yes);
  }

  @Override
  public boolean unknown(GuardedId id, long fence, String why) {
    return step(
        StoreSql.UNKNOWN,
        statement -> {
          statement.setString(
              1, StorableText.nearly(why.substring(0, Math.min(why.length(), MAX_WHY_CHARACTERS))));
          setTwice(statement, 2, id, fence);
        },
        results -> {
          results.count();
          return results.yes();
        });
  }

  @Override
  public boolean release(GuardedId id, long fence) {
    return step(
        StoreSql.RELEASE,
        statement -> setTwice(statement, 1, id, fence),
        results -> {
          results.count();
          return results.yes();
        });
  }

  @Override
  public List<UnknownRequest> unknowns(int atMost) {
    return step(
        StoreSql.UNKNOWNS,
        statement -> statement.setInt(1, atMost),
        results -> {
          List<UnknownRequest> unknowns = new ArrayList<>();
          try (ResultSet row = results.rows()) {
            while (row.next()) {
              unknowns.add(RequestRow.read(row).unknown());
            }
          }
          return unknowns;
        });
  }

  @Override
  public List<Evidence> evidence(GuardedId id) {
    return step(
        StoreSql.EVIDENCE,
        statement -> RequestRow.setIdentity(statement, 1, id),
        results -> {
          List<Evidence> evidence = new ArrayList<>();
          try (ResultSet row = results.rows()) {
            while (row.next()) {
              evidence.add(
                  new Evidence(
                      id,
                      row.getLong("fence"),
                      RequestRow.readReply(row),
                      RequestRow.readMicros(row, "arrived_micros")));
            }
          }
          return evidence;
        });
  }

  @Override
  public GuardedOutcome outcome(GuardedId id) {
    return records.outcome(id);
  }

  @Override
  public GuardedAbandonment abandon(GuardedId id, long retentionMillis) {
    return records.abandon(id, retentionMillis, LOCK_MILLIS);
  }

  @Override
  public boolean acknowledge(GuardedId id) {
    return records.acknowledge(id);
  }

  @Override
  public long countOlderThan(Instant started) {
    return records.countOlderThan(started);
  }

  @Override
  public long forget(Instant started) {
    return records.forget(started);
  }

  @Override
  public int sweep(int atMost) {
    return Sweeper.sweep(dataSource, atMost);
  }

  @Override
  public int maxReplyBytes() {
    return MAX_REPLY_BYTES;
  }

  @Override
  public Durability durability() {
    return Durability.DURABLE;
  }

  /** The data source is the caller's. */
  @Override
  public void close() {}

  private <T> T step(String sql, Step.Binding binding, Step.Reading<T> reading) {
    return Step.take(dataSource, sql, binding, reading);
  }

  private static int setTerms(PreparedStatement statement, int from, ClaimTerms terms)
      throws SQLException {
    statement.setLong(from, terms.leaseMillis());
    statement.setLong(from + 1, terms.retentionMillis());
    return from + 2;
  }

  private static int setIdentityAndFingerprint(PreparedStatement statement, int from, Ask ask)
      throws SQLException {
    int at = RequestRow.setIdentity(statement, from, ask.id());
    at = RequestRow.setFingerprint(statement, at, ask);
    return RequestRow.setFingerprint(statement, at, ask);
  }

  private static int setReply(PreparedStatement statement, int from, Reply reply)
      throws SQLException {
    statement.setString(from, reply.kind().name());
    statement.setBytes(from + 1, reply.bytes().toArray());
    return from + 2;
  }

  private static void setTwice(PreparedStatement statement, int from, GuardedId id, long fence)
      throws SQLException {
    int at = RequestRow.setIdentity(statement, from, id);
    statement.setLong(at++, fence);
    at = RequestRow.setIdentity(statement, at, id);
    statement.setLong(at, fence);
  }
}
