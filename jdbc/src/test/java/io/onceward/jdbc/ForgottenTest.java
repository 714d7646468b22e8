package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceward.DatedIds;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Ruling;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What was cleaned up is not fresh: dated ids are refused, however the clean-up meets them (K5).
 */
class ForgottenTest {
  private final Bank bank = new Bank();
  private final OnceTransaction once = bank.builder().build();
  private final DatedIds ids = new DatedIds();

  private Ask dated() {
    return new Ask(GuardedId.of(ids.next()), null, "transfer");
  }

  private void expire() {
    bank.run("UPDATE onceward_request SET expires_at = now() - interval '1 second'");
  }

  private long horizon() {
    return bank.number("SELECT dated FROM onceward_horizon");
  }

  @Test
  void aDatedIdThatWasCleanedUpIsRefusedAndAnUndatedOneRunsAgain() {
    Ask ask = dated();
    once.decide(ask, transfer(10));
    once.decide(asking("undated"), transfer(10));
    expire();
    assertThat(Sweeper.sweep(bank.dataSource(), 10)).isEqualTo(2);
    assertThat(once.decide(ask, transfer(10))).isEqualTo(new Ruling.Refused(Refusal.FORGOTTEN, ""));
    assertThat(once.decide(asking("undated"), transfer(10)))
        .as("the documentation says plainly what undated ids lose")
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
  }

  @Test
  void whatIsPastItsRetentionButNotCleanedUpIsReplayed() {
    Ask ask = dated();
    once.decide(ask, transfer(10));
    expire();
    assertThat(once.decide(ask, transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
  }

  /** Execution 7: almost as old as the horizon, executed, and its reply lost. */
  @Test
  void aRecordBehindTheHorizonIsStillReplayed() {
    Ask older = dated();
    Ask newer = dated();
    once.decide(newer, transfer(10));
    once.decide(older, transfer(10));
    bank.run(
        "UPDATE onceward_request SET expires_at = now() - interval '1 second' WHERE dated = "
            + newer.id().key().dateMicros());
    assertThat(Sweeper.sweep(bank.dataSource(), 10)).isEqualTo(1);
    assertThat(horizon()).isEqualTo(newer.id().key().dateMicros());
    assertThat(once.decide(older, transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
  }

  @Test
  void anIdFromTheFutureIsRefused() {
    long ahead = (System.currentTimeMillis() + 600_000) * 1000;
    Ask ask = new Ask(GuardedId.of(Key.dated(ahead, 1)), null, "transfer");
    assertThat(once.decide(ask, transfer(10)))
        .isEqualTo(new Ruling.Refused(Refusal.FROM_THE_FUTURE, ""));
    assertThat(bank.records()).isZero();
  }

  @Test
  void theHorizonIsCommittedBeforeAnythingIsDeletedAndNeverGoesBack() throws SQLException {
    Ask first = dated();
    Ask second = dated();
    once.decide(second, transfer(10));
    expire();
    try (Connection connection = bank.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Cleaning.count(connection, 60_000);
      assertThat(Cleaning.delete(connection, 10)).as("not above the committed horizon").isZero();
      Cleaning.raiseHorizon(connection, 10);
      assertThat(horizon()).isEqualTo(second.id().key().dateMicros());
      assertThat(bank.records()).isEqualTo(1);
      assertThat(Cleaning.delete(connection, 10)).isEqualTo(1);
    }
    bank.run(
        "INSERT INTO onceward_request SELECT '', '', 1, "
            + first.id().key().dateMicros()
            + ", 0, NULL, "
            + first.id().key().dateMicros()
            + ", NULL, '', '', 'DONE', 1, now(), NULL, NULL, 1, now() - interval '1 second', 'OK', ''");
    assertThat(Sweeper.sweep(bank.dataSource(), 10)).isEqualTo(1);
    assertThat(horizon()).isEqualTo(second.id().key().dateMicros());
  }

  /**
   * Execution 10: the sweeper deletes X between another transaction's check and its insert. The
   * other transaction has its snapshot from before X was there; its insert waits for X, and when it
   * goes on, X has come, expired and gone.
   */
  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void aSweepBetweenCheckAndInsertDoesNotMakeItRunAgain(String isolation) throws Exception {
    PGSimpleDataSource source = bank.anotherDataSource();
    source.setOptions("-c default_transaction_isolation=" + isolation.replace(" ", "\\ "));
    OnceTransaction late = OnceTransaction.on(source).retryEvery(Duration.ofMillis(1)).build();
    Ask ask = dated();
    try (Connection first = bank.dataSource().getConnection()) {
      first.setAutoCommit(false);
      once.decideWithin(first, ask, transfer(10));
      CompletableFuture<Ruling> second =
          CompletableFuture.supplyAsync(() -> late.decide(ask, transfer(10)));
      Eventually.until("the second copy waits", () -> bank.waiting() == 1);
      // In one transaction, as if the second copy slept through all of it.
      Bank.run(first, "UPDATE onceward_horizon SET dated = " + ask.id().key().dateMicros());
      Bank.run(first, "DELETE FROM onceward_request");
      first.commit();
      assertThat(second.get(30, TimeUnit.SECONDS))
          .isEqualTo(new Ruling.Refused(Refusal.FORGOTTEN, ""));
    }
    assertThat(bank.balance("bob")).isEqualTo(10);
    assertThat(bank.records()).isZero();
  }

  @Test
  void aSweepBetweenCheckAndInsertDoesNotMakeTheStoreStartItAgain() throws Exception {
    JdbcClaimStore store = JdbcClaimStore.on(bank.dataSource());
    Ask ask = dated();
    try (Connection first = bank.dataSource().getConnection()) {
      first.setAutoCommit(false);
      once.decideWithin(first, ask, transfer(10));
      CompletableFuture<Claimed> second =
          CompletableFuture.supplyAsync(() -> store.claim(ask, new ClaimTerms(1000, 1000)));
      Eventually.until("the second copy waits", () -> bank.waiting() == 1);
      Bank.run(first, "UPDATE onceward_horizon SET dated = " + ask.id().key().dateMicros());
      Bank.run(first, "DELETE FROM onceward_request");
      first.commit();
      assertThat(second.get(30, TimeUnit.SECONDS))
          .isEqualTo(new Claimed.Refused(Refusal.FORGOTTEN));
    }
    assertThat(bank.records()).isZero();
  }

  /** A transaction with one snapshot for all: it was taken before the record came and went. */
  @Test
  void aTransactionWithAnOldSnapshotIsRunAgainAndThenRefused() throws Exception {
    Ask ask = dated();
    // Not a transfer: two of those on one account would be told apart by the account alone.
    Work noting =
        connection -> {
          Bank.note(connection, "done");
          return Reply.ok("noted");
        };
    try (Connection old = bank.dataSource().getConnection()) {
      old.setAutoCommit(false);
      old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      Bank.run(old, "SELECT * FROM account");
      once.decide(ask, noting);
      expire();
      assertThat(Sweeper.sweep(bank.dataSource(), 10)).isEqualTo(1);
      assertThatExceptionOfType(RunAgainException.class)
          .isThrownBy(() -> once.decideWithin(old, ask, noting));
      old.rollback();
      assertThat(once.decideWithin(old, ask, noting))
          .isEqualTo(new Ruling.Refused(Refusal.FORGOTTEN, ""));
      old.commit();
    }
    assertThat(bank.entries()).isEqualTo(1);
  }

  @Test
  void sweepersThatMeetDropEachRecordOnce() throws Exception {
    for (int i = 0; i < 40; i++) {
      once.decide(i % 2 == 0 ? dated() : asking("undated " + i), transfer(1));
    }
    expire();
    List<CompletableFuture<Integer>> sweeps =
        java.util.stream.Stream.generate(
                () -> CompletableFuture.supplyAsync(() -> Sweeper.sweep(bank.dataSource(), 30)))
            .limit(4)
            .toList();
    int dropped = 0;
    for (CompletableFuture<Integer> sweep : sweeps) {
      dropped += sweep.get(30, TimeUnit.SECONDS);
    }
    assertThat(dropped + Sweeper.sweep(bank.dataSource(), 40)).isEqualTo(40);
    assertThat(bank.records()).isZero();
  }

  @Test
  void aSweeperThreadCleansUpAndStopsWhenClosed() {
    once.decide(asking("a"), transfer(1));
    expire();
    Sweeper sweeper = Sweeper.start(bank.dataSource(), Duration.ofMillis(5));
    Eventually.until("it is cleaned up", () -> bank.records() == 0);
    sweeper.close();
    once.decide(asking("b"), transfer(1));
    expire();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("onceward-sweeper"));
    assertThat(bank.records()).isEqualTo(1);
  }

  @Test
  void whatIsStartedOrUnknownIsNeverCleanedUp() {
    JdbcClaimStore store = JdbcClaimStore.on(bank.dataSource());
    store.claim(asking("a"), new ClaimTerms(1, 1));
    store.claim(asking("b"), new ClaimTerms(1, 1));
    store.unknown(asking("b").id(), 1, "why");
    bank.ask("SELECT pg_sleep(0.01)");
    assertThat(store.sweep(10)).isZero();
    assertThat(store.unknowns(10)).hasSize(2);
  }
}
