package io.onceward.jdbc;

import io.onceward.Bytes;
import io.onceward.Scope;
import io.onceward.guard.GuardListener;
import io.onceward.guard.Meaning;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.sql.DataSource;

/** Sets up a {@link OnceTransaction}. */
public final class OnceTransactionBuilder {
  private static final int MAX_REPLY_BYTES = 1 << 20;

  private final DataSource dataSource;
  private Duration retention = Duration.ofHours(24);
  private Duration waitAtMost = Duration.ofSeconds(10);
  private int attempts = 10;
  private Duration retryEvery = Duration.ofMillis(100);
  private int maxReplyBytes = MAX_REPLY_BYTES;
  private Function<Throwable, Meaning> classify = failure -> Meaning.UNKNOWN;
  private Function<Throwable, Bytes> businessReply =
      failure -> Bytes.utf8(Objects.requireNonNullElse(failure.getMessage(), ""));
  private Predicate<? super Scope> datedOnly = any -> false;
  private GuardListener listener = (ask, ruling, nanos) -> {};

  OnceTransactionBuilder(DataSource dataSource) {
    this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
  }

  /** How long a decided request is remembered, by the database's clock. Default: 24 hours. */
  public OnceTransactionBuilder retention(Duration retention) {
    this.retention = atLeastOneMilli("retention", retention);
    return this;
  }

  /** How long a copy waits for another one that is under way. Default: 10 seconds. */
  public OnceTransactionBuilder waitAtMost(Duration waitAtMost) {
    this.waitAtMost = atLeastOneMilli("waitAtMost", waitAtMost);
    return this;
  }

  /**
   * How many transactions are tried for one request when they fail by deadlock, serialization or
   * connection. Default: 10.
   */
  public OnceTransactionBuilder attempts(int attempts) {
    if (attempts < 1) {
      throw new IllegalArgumentException("there is at least 1 attempt, got " + attempts);
    }
    this.attempts = attempts;
    return this;
  }

  /** The pause before another attempt; always the same. Default: 100 milliseconds. */
  public OnceTransactionBuilder retryEvery(Duration retryEvery) {
    this.retryEvery = atLeastOneMilli("retryEvery", retryEvery);
    return this;
  }

  /** The largest reply whose bytes are kept, at most 1 MiB, which is the default (E9). */
  public OnceTransactionBuilder maxReplyBytes(int maxReplyBytes) {
    if (maxReplyBytes < 0 || maxReplyBytes > MAX_REPLY_BYTES) {
      throw new IllegalArgumentException(
          "maxReplyBytes is 0 to " + MAX_REPLY_BYTES + ", got " + maxReplyBytes);
    }
    this.maxReplyBytes = maxReplyBytes;
    return this;
  }

  /**
   * Which exceptions of the work are business errors. All others, whatever else they are said to
   * mean, roll back: nothing happened.
   */
  public OnceTransactionBuilder classify(Function<Throwable, Meaning> classify) {
    this.classify = Objects.requireNonNull(classify, "classify");
    return this;
  }

  /** What is remembered of a business error that was thrown. Default: its message as UTF-8. */
  public OnceTransactionBuilder businessReply(Function<Throwable, Bytes> businessReply) {
    this.businessReply = Objects.requireNonNull(businessReply, "businessReply");
    return this;
  }

  /**
   * Scopes that accept dated keys only (K5). An undated key there is refused as {@code UNDATED},
   * unless it was decided before: it would run again once it is forgotten. Default: none.
   */
  public OnceTransactionBuilder datedOnly(Predicate<? super Scope> datedOnly) {
    this.datedOnly = Objects.requireNonNull(datedOnly, "datedOnly");
    return this;
  }

  /** Hears of every ruling. */
  public OnceTransactionBuilder listener(GuardListener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Looks at the database: it has to be PostgreSQL and to have the tables.
   *
   * @throws IllegalStateException if it is another database, or tables are missing; the message
   *     says which
   * @throws io.onceward.guard.StoreUnavailableException if it cannot be reached
   */
  public OnceTransaction build() {
    UUID database = Schema.identity(dataSource);
    return new OnceTransaction(
        dataSource,
        new TransactionTerms(
            retention.toMillis(),
            waitAtMost.toMillis(),
            attempts,
            retryEvery.toMillis(),
            maxReplyBytes,
            classify,
            businessReply,
            datedOnly,
            listener.neverThrowing()),
        database);
  }

  private static Duration atLeastOneMilli(String what, Duration duration) {
    if (duration.toMillis() < 1) {
      throw new IllegalArgumentException(what + " is at least 1 ms, got " + duration);
    }
    return duration;
  }
}
