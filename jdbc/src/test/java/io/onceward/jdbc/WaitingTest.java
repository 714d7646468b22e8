package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.DatedIds;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Ruling;
import io.onceward.testpostgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** How long anything waits for a transaction that is open, and what it costs the server. */
class WaitingTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  private final Bank bank = new Bank();
  private final OnceTransaction once = bank.builder().build();

  private static Ruling get(CompletableFuture<Ruling> ruling) throws Exception {
    return ruling.get(30, TimeUnit.SECONDS);
  }

  /** The row was there before, so it is the update that waits, and not the insert. */
  @Test
  void aDuplicateOfATakenOverRequestWaitsNoLongerThanItIsTold() throws Exception {
    JdbcClaimStore store = JdbcClaimStore.on(bank.dataSource());
    store.claim(asking("a"), new ClaimTerms(60_000, 60_000));
    store.release(asking("a").id(), 1);
    OnceTransaction hasty = bank.builder().waitAtMost(SHORT).build();
    try (Connection first = bank.dataSource().getConnection()) {
      first.setAutoCommit(false);
      once.decideWithin(first, asking("a"), transfer(10));
      CompletableFuture<Ruling> copy =
          CompletableFuture.supplyAsync(() -> hasty.decide(asking("a"), transfer(10)));
      assertThat(get(copy)).isInstanceOf(Ruling.InProgress.class);
      try (Connection second = bank.dataSource().getConnection()) {
        second.setAutoCommit(false);
        Bank.run(second, "SET LOCAL lock_timeout = 12345; SET LOCAL statement_timeout = 54321");
        assertThat(hasty.decideWithin(second, asking("a"), transfer(10)))
            .isInstanceOf(Ruling.InProgress.class);
        assertThat(timeouts(second)).isEqualTo("12345ms 54321ms");
        Work work = connection -> Reply.ok(timeouts(connection));
        assertThat(hasty.decideWithin(second, asking("b"), work))
            .isEqualTo(new Ruling.Replied(Reply.ok("12345ms 54321ms"), false));
        second.rollback();
      }
      first.commit();
    }
    assertThat(hasty.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
  }

  /** The settings of the business SQL are the user's again, however the claim was made. */
  @Test
  void theWorkOfATakenOverRequestRunsUnderTheUsersSettings() {
    JdbcClaimStore store = JdbcClaimStore.on(bank.dataSource());
    store.claim(asking("a"), new ClaimTerms(60_000, 60_000));
    store.release(asking("a").id(), 1);
    Work work = connection -> Reply.ok(timeouts(connection));
    assertThat(once.decide(asking("a"), work))
        .isEqualTo(new Ruling.Replied(Reply.ok("0 0"), false));
    assertThat(once.decide(asking("b"), work))
        .isEqualTo(new Ruling.Replied(Reply.ok("0 0"), false));
  }

  /** None of them decides, and each is gone before the copy has lost its patience with it. */
  @Test
  void aCopyWaitsForAllOthersTogetherNoLongerThanItIsTold() throws Exception {
    // Lets the copy run into two rows, so that one is held already when the other is let go.
    bank.run("CREATE UNIQUE INDEX ON onceward_request (operation)");
    OnceTransaction hasty = bank.builder().waitAtMost(Duration.ofMillis(300)).build();
    try (Connection byKey = bank.dataSource().getConnection();
        Connection byOperation = bank.dataSource().getConnection()) {
      byKey.setAutoCommit(false);
      byOperation.setAutoCommit(false);
      insert(byKey, asking("a").id(), "other");
      CompletableFuture<Ruling> copy =
          CompletableFuture.supplyAsync(() -> hasty.decide(asking("a"), transfer(10)));
      waitsFor(byKey, copy);
      Eventually.until(
          "the copy is told",
          () -> {
            insert(byOperation, asking("b").id(), "transfer");
            rollBack(byKey);
            waitsFor(byOperation, copy);
            insert(byKey, asking("a").id(), "other");
            rollBack(byOperation);
            waitsFor(byKey, copy);
            return copy.isDone();
          });
      assertThat(get(copy)).isInstanceOf(Ruling.InProgress.class);
      byKey.rollback();
    }
    assertThat(hasty.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
  }

  /** With one snapshot for all, each that it has waited for makes it run again. */
  @Test
  void aCopyThatRunsAgainHasTheSamePatienceForAllItsRuns() throws Exception {
    bank.run("CREATE UNIQUE INDEX ON onceward_request (operation)");
    PGSimpleDataSource strict = bank.anotherDataSource();
    strict.setOptions("-c default_transaction_isolation=repeatable\\ read");
    OnceTransaction hasty =
        OnceTransaction.on(strict)
            .waitAtMost(Duration.ofMillis(300))
            .retryEvery(Duration.ofMillis(1))
            .attempts(1_000_000)
            .build();
    try (Connection other = bank.dataSource().getConnection()) {
      other.setAutoCommit(false);
      insert(other, asking("b").id(), "transfer");
      CompletableFuture<Ruling> copy =
          CompletableFuture.supplyAsync(() -> hasty.decide(asking("a"), transfer(10)));
      Eventually.until(
          "the copy is told",
          () -> {
            waitsFor(other, copy);
            commit(other);
            run(other, "DELETE FROM onceward_request");
            insert(other, asking("b").id(), "transfer");
            return copy.isDone();
          });
      assertThat(get(copy)).isInstanceOf(Ruling.InProgress.class);
      other.rollback();
    }
  }

  private static void insert(Connection connection, GuardedId id, String operation) {
    run(
        connection,
        "INSERT INTO onceward_request (principal, scope, key_kind, key_high, key_low, operation,"
            + " memo, state, fence, started_at, retention_millis) VALUES ('%s', '%s', %d, %d, %d,"
                .formatted(
                    id.principal(),
                    id.scope().name(),
                    id.key().kind().code(),
                    id.key().high(),
                    id.key().low())
            + " '%s', '', 'DONE', 1, now(), 1)".formatted(operation));
  }

  private void waitsFor(Connection holder, CompletableFuture<Ruling> copy) {
    long pid = pid(holder);
    Eventually.until(
        "the copy waits for process " + pid,
        () ->
            copy.isDone()
                || bank.number(
                        "SELECT count(*) FROM pg_stat_activity WHERE "
                            + pid
                            + " = ANY(pg_blocking_pids(pid))")
                    == 1);
  }

  private static long pid(Connection connection) {
    try {
      return connection.unwrap(PGConnection.class).getBackendPID();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void run(Connection connection, String sql) {
    try {
      Bank.run(connection, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static void rollBack(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void commit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aStatementTimeoutBelowTheWaitDoesNotLookLikeAStoreThatIsGone() throws Exception {
    PGSimpleDataSource hurried = bank.anotherDataSource();
    OnceTransaction hasty =
        OnceTransaction.on(hurried)
            .waitAtMost(Duration.ofMillis(200))
            .retryEvery(Duration.ofMillis(1))
            .attempts(2)
            .build();
    hurried.setOptions("-c statement_timeout=20");
    try (Connection first = bank.dataSource().getConnection()) {
      first.setAutoCommit(false);
      once.decideWithin(first, asking("a"), transfer(10));
      assertThat(hasty.decide(asking("a"), transfer(10))).isInstanceOf(Ruling.InProgress.class);
      try (Connection second = hurried.getConnection()) {
        second.setAutoCommit(false);
        assertThat(hasty.decideWithin(second, asking("a"), transfer(10)))
            .isInstanceOf(Ruling.InProgress.class);
        second.rollback();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCopyWhoseStatementIsCutOffWaitsOn(boolean othersManageTransactions) throws Exception {
    PGSimpleDataSource hurried = bank.anotherDataSource();
    OnceTransaction patient = OnceTransaction.on(hurried).retryEvery(SHORT).attempts(1).build();
    hurried.setOptions("-c statement_timeout=100");
    TransactionRunner runner =
        inside -> {
          try (Connection connection = hurried.getConnection()) {
            connection.setAutoCommit(false);
            Ruling ruling = inside.decide(connection);
            connection.commit();
            return ruling;
          }
        };
    try (Connection first = bank.dataSource().getConnection()) {
      first.setAutoCommit(false);
      once.decideWithin(first, asking("a"), transfer(10));
      CompletableFuture<Ruling> copy =
          CompletableFuture.supplyAsync(
              () ->
                  othersManageTransactions
                      ? patient.decide(asking("a"), transfer(10), runner)
                      : patient.decide(asking("a"), transfer(10)));
      Eventually.until("the copy waits", () -> bank.waiting() == 1);
      Eventually.until("its statement is cancelled", () -> bank.waiting() == 0);
      Eventually.until("and it waits again", () -> bank.waiting() == 1);
      first.commit();
      assertThat(get(copy)).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    }
  }

  /** A guard asks again, and is not told that its store is gone. */
  @Test
  void aClaimThatIsCutOffByAStatementTimeoutIsRunning() throws Exception {
    PGSimpleDataSource hurried = bank.anotherDataSource();
    JdbcClaimStore store = JdbcClaimStore.on(hurried);
    hurried.setOptions("-c statement_timeout=20");
    try (Connection first = bank.dataSource().getConnection()) {
      first.setAutoCommit(false);
      once.decideWithin(first, asking("a"), transfer(10));
      assertThat(store.claim(asking("a"), new ClaimTerms(60_000, 60_000)))
          .isInstanceOf(Claimed.Running.class);
      first.commit();
    }
  }

  @Test
  void anAbandonmentThatIsCutOffByAStatementTimeoutWaitsOn() throws Exception {
    PGSimpleDataSource hurried = bank.anotherDataSource();
    hurried.setOptions("-c statement_timeout=20");
    OnceTransaction hasty = OnceTransaction.on(hurried).waitAtMost(SHORT).build();
    OnceTransaction patient = OnceTransaction.on(hurried).build();
    try (Connection first = bank.dataSource().getConnection()) {
      first.setAutoCommit(false);
      once.decideWithin(first, asking("a"), transfer(10));
      assertThat(hasty.abandon(asking("a").id())).isInstanceOf(GuardedAbandonment.Undecided.class);
      CompletableFuture<GuardedAbandonment> abandoned =
          CompletableFuture.supplyAsync(() -> patient.abandon(asking("a").id()));
      Eventually.until("it waits", () -> bank.waiting() == 1);
      Eventually.until("its statement is cancelled", () -> bank.waiting() == 0);
      Eventually.until("and it waits again", () -> bank.waiting() == 1);
      first.rollback();
      assertThat(abandoned.get(30, TimeUnit.SECONDS))
          .isEqualTo(new GuardedAbandonment.Closed(false));
    }
  }

  /** A server has room for a few thousand locks, for everybody together. */
  @Test
  void manyRequestsInOneTransactionTakeNoLocksOfTheServer() throws Exception {
    try (PostgresServer small =
        PostgresServer.start(
            Map.of(
                "fsync", "off",
                "max_connections", "10",
                "max_locks_per_transaction", "10",
                "max_worker_processes", "0",
                "autovacuum", "off"))) {
      PGSimpleDataSource source = small.freshSchema();
      Schema.create(source);
      OnceTransaction many = OnceTransaction.on(source).build();
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        for (int i = 0; i < 3_000; i++) {
          assertThat(many.decideWithin(connection, asking("m" + i), c -> Reply.ok("done")))
              .isEqualTo(new Ruling.Replied(Reply.ok("done"), false));
        }
        connection.commit();
      }
    }
  }

  /** Transactions with one snapshot overlap all the time; a sweep must not need a gap. */
  @ParameterizedTest
  @ValueSource(strings = {"repeatable read", "serializable"})
  void aSweepDoesNotWaitForTransactionsWithDatedKeys(String isolation) throws Exception {
    DatedIds ids = new DatedIds();
    Ask old = new Ask(GuardedId.of(ids.next()), null, "transfer");
    Ask young = new Ask(GuardedId.of(ids.next()), null, "transfer");
    once.decide(old, transfer(1));
    bank.run("UPDATE onceward_request SET expires_at = now() - interval '1 hour'");
    PGSimpleDataSource strict = bank.anotherDataSource();
    strict.setOptions("-c default_transaction_isolation=" + isolation.replace(" ", "\\ "));
    try (Connection open = strict.getConnection()) {
      open.setAutoCommit(false);
      assertThat(once.decideWithin(open, young, transfer(10))).isInstanceOf(Ruling.Replied.class);
      CompletableFuture<Integer> sweep =
          CompletableFuture.supplyAsync(() -> Sweeper.sweep(bank.dataSource(), 10));
      assertThat(sweep.get(30, TimeUnit.SECONDS)).isEqualTo(1);
      open.commit();
    }
    assertThat(once.decide(young, transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
  }

  private static String timeouts(Connection connection) throws SQLException {
    return setting(connection, "lock_timeout") + " " + setting(connection, "statement_timeout");
  }

  private static String setting(Connection connection, String name) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SHOW " + name)) {
      row.next();
      return row.getString(1);
    }
  }
}
