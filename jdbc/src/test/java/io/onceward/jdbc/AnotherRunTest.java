package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Reply;
import io.onceward.guard.Meaning;
import io.onceward.guard.Ruling;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What is no answer to a request is never recorded as one: the whole runs again (G5). */
class AnotherRunTest {
  private final Bank bank = new Bank();

  /** Every exception is a business error here, which is the worst case. */
  private final OnceTransaction once =
      bank.builder().retryEvery(Duration.ofMillis(1)).classify(e -> Meaning.BUSINESS_ERROR).build();

  /** What business code does with an exception of its database. */
  enum Manners {
    LETS_IT_THROUGH {
      @Override
      Reply treat(SQLException e) throws SQLException {
        throw e;
      }
    },
    WRAPS_IT {
      @Override
      Reply treat(SQLException e) {
        throw new IllegalStateException("transfer refused", e);
      }
    },
    HIDES_IT_BEHIND_AN_ERROR_OF_ITS_OWN {
      @Override
      Reply treat(SQLException e) {
        throw new IllegalStateException("transfer refused");
      }
    },
    TURNS_IT_INTO_A_REPLY {
      @Override
      Reply treat(SQLException e) {
        return Reply.businessError("transfer refused");
      }
    },
    SWALLOWS_IT {
      @Override
      Reply treat(SQLException e) {
        return Reply.ok("fine");
      }
    };

    abstract Reply treat(SQLException e) throws SQLException;
  }

  /** Execution 10: a deadlock inside the business SQL is not a business error. */
  @ParameterizedTest
  @EnumSource(Manners.class)
  void aDeadlockIsNotABusinessError(Manners manners) throws Exception {
    CyclicBarrier bothHoldOne = new CyclicBarrier(2);
    AtomicInteger runs = new AtomicInteger();
    CompletableFuture<Ruling> one =
        CompletableFuture.supplyAsync(
            () -> once.decide(asking("a"), crossing("alice", "bob", bothHoldOne, runs, manners)));
    CompletableFuture<Ruling> other =
        CompletableFuture.supplyAsync(
            () -> once.decide(asking("b"), crossing("bob", "alice", bothHoldOne, runs, manners)));
    assertThat(one.get(30, TimeUnit.SECONDS))
        .isEqualTo(new Ruling.Replied(Reply.ok("done"), false));
    assertThat(other.get(30, TimeUnit.SECONDS))
        .isEqualTo(new Ruling.Replied(Reply.ok("done"), false));
    assertThat(runs.get()).as("one of them ran again").isGreaterThanOrEqualTo(3);
    assertThat(bank.balance("alice")).isEqualTo(102);
    assertThat(bank.balance("bob")).isEqualTo(2);
  }

  private static Work crossing(
      String first, String second, CyclicBarrier bothHoldOne, AtomicInteger runs, Manners manners) {
    return connection -> {
      int run = runs.incrementAndGet();
      raise(connection, first);
      if (run <= 2) {
        bothHoldOne.await();
      }
      try {
        raise(connection, second);
        return Reply.ok("done");
      } catch (SQLException e) {
        return manners.treat(e);
      }
    };
  }

  private static void raise(Connection connection, String account) throws SQLException {
    Bank.run(connection, "UPDATE account SET balance = balance + 1 WHERE name = '" + account + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"repeatable read", "serializable"})
  void aSerializationFailureRunsAgain(String isolation) {
    OnceTransaction strict = OnceTransaction.on(isolated(isolation)).build();
    AtomicInteger runs = new AtomicInteger();
    Ruling ruling =
        strict.decide(
            asking("a"),
            connection -> {
              Bank.run(connection, "SELECT * FROM account");
              if (runs.incrementAndGet() == 1) {
                bank.run("UPDATE account SET balance = balance + 5 WHERE name = 'alice'");
              }
              Bank.move(connection, 10);
              return Reply.ok("moved");
            });
    assertThat(ruling).isEqualTo(new Ruling.Replied(Reply.ok("moved"), false));
    assertThat(runs).hasValue(2);
    assertThat(bank.balance("alice")).isEqualTo(95);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void aDuplicateThatWaitedReplaysAtEveryIsolationLevel(String isolation) throws Exception {
    OnceTransaction here = OnceTransaction.on(isolated(isolation)).build();
    OnceTransaction there = OnceTransaction.on(isolated(isolation)).build();
    CyclicBarrier inside = new CyclicBarrier(2);
    CompletableFuture<Ruling> first =
        CompletableFuture.supplyAsync(
            () ->
                here.decide(
                    asking("a"),
                    connection -> {
                      inside.await();
                      inside.await();
                      return transfer(10).run(connection);
                    }));
    inside.await();
    CompletableFuture<Ruling> second =
        CompletableFuture.supplyAsync(() -> there.decide(asking("a"), transfer(10)));
    Eventually.until("the duplicate waits on the row", () -> bank.waiting() == 1);
    inside.await();
    assertThat(first.get(30, TimeUnit.SECONDS))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
    assertThat(second.get(30, TimeUnit.SECONDS))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  private PGSimpleDataSource isolated(String isolation) {
    PGSimpleDataSource source = bank.anotherDataSource();
    source.setOptions("-c default_transaction_isolation=" + isolation.replace(" ", "\\ "));
    return source;
  }

  @Test
  void anSqlErrorThatIsSwallowedEachTimeEndsAsDidNotHappen() {
    AtomicInteger runs = new AtomicInteger();
    Ruling ruling =
        once.decide(
            asking("a"),
            connection -> {
              runs.incrementAndGet();
              Bank.note(connection, "before the error");
              try {
                Bank.run(connection, "INSERT INTO account VALUES ('alice', 1)");
              } catch (SQLException swallowed) {
                // That is the mistake.
              }
              return Reply.ok("fine");
            });
    assertThat(ruling).isInstanceOf(Ruling.DidNotHappen.class);
    assertThat(((Ruling.DidNotHappen) ruling).cause()).hasMessageContaining("swallowed");
    assertThat(runs).hasValue(3);
    assertThat(bank.entries()).isZero();
    assertThat(bank.records()).isZero();
  }

  /** Services that catch a duplicate key are left with an aborted transaction (25P02). */
  @Test
  void aDuplicateKeyThatTheWorkHandlesWithItsOwnSavepointIsFine() {
    Ruling ruling =
        once.decide(
            asking("a"),
            connection -> {
              var savepoint = connection.setSavepoint();
              try {
                Bank.run(connection, "INSERT INTO account VALUES ('alice', 1)");
              } catch (SQLException e) {
                connection.rollback(savepoint);
              }
              return transfer(10).run(connection);
            });
    assertThat(ruling).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
  }

  @Test
  void endlessConflictsEndAfterTheGivenAttempts() {
    OnceTransaction stubborn = bank.builder().attempts(4).retryEvery(Duration.ofMillis(1)).build();
    AtomicInteger runs = new AtomicInteger();
    Ruling ruling =
        stubborn.decide(
            asking("a"),
            connection -> {
              runs.incrementAndGet();
              throw new SQLException("as if", "40001");
            });
    assertThat(ruling).isInstanceOf(Ruling.DidNotHappen.class);
    assertThat(runs).hasValue(4);
  }

  /** Where the backend is when it is killed. */
  enum Step {
    BEFORE_THE_BUSINESS_SQL,
    AFTER_THE_BUSINESS_SQL,
  }

  @ParameterizedTest
  @EnumSource(Step.class)
  void aBackendThatIsKilledMakesTheWholeRunAgain(Step step) {
    AtomicInteger runs = new AtomicInteger();
    Ruling ruling =
        once.decide(
            asking("a"),
            connection -> {
              boolean killed = runs.incrementAndGet() == 1;
              if (killed && step == Step.BEFORE_THE_BUSINESS_SQL) {
                kill(connection);
              }
              Reply reply = transfer(10).run(connection);
              if (killed && step == Step.AFTER_THE_BUSINESS_SQL) {
                kill(connection);
              }
              return reply;
            });
    assertThat(((Ruling.Replied) ruling).reply()).isEqualTo(Reply.ok("moved 10"));
    assertThat(runs).hasValue(2);
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void aBackendThatIsKilledWhileItWaitsForTheClaimClaimsAgain() throws Exception {
    OnceTransaction here = bank.builder().build();
    OnceTransaction there = bank.builder().retryEvery(Duration.ofMillis(1)).build();
    CyclicBarrier inside = new CyclicBarrier(2);
    CompletableFuture<Ruling> first =
        CompletableFuture.supplyAsync(
            () ->
                here.decide(
                    asking("a"),
                    connection -> {
                      inside.await();
                      inside.await();
                      return transfer(10).run(connection);
                    }));
    inside.await();
    CompletableFuture<Ruling> second =
        CompletableFuture.supplyAsync(() -> there.decide(asking("a"), transfer(10)));
    String waiting =
        "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    Eventually.until("the duplicate waits on the row", () -> bank.waiting() == 1);
    String pid = bank.ask("SELECT pid " + waiting);
    bank.run("SELECT pg_terminate_backend(" + pid + ")");
    Eventually.until(
        "another backend waits",
        () -> bank.number("SELECT count(*) " + waiting + " AND pid <> " + pid) == 1);
    inside.await();
    assertThat(first.get(30, TimeUnit.SECONDS)).isInstanceOf(Ruling.Replied.class);
    assertThat(second.get(30, TimeUnit.SECONDS))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  private void kill(Connection connection) throws SQLException {
    int pid = connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    bank.run("SELECT pg_terminate_backend(" + pid + ")");
    Eventually.until(
        "the backend is gone",
        () -> bank.number("SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid) == 0);
  }

  @Test
  void withoutADatabaseNothingIsRun() throws Exception {
    PGSimpleDataSource gone = bank.anotherDataSource();
    OnceTransaction cut =
        OnceTransaction.on(gone).attempts(2).retryEvery(Duration.ofMillis(1)).build();
    gone.setPortNumbers(new int[] {1});
    assertThat(
            cut.decide(
                asking("a"),
                connection -> {
                  throw new AssertionError("ran");
                }))
        .isInstanceOf(Ruling.NoStore.class);
  }
}
