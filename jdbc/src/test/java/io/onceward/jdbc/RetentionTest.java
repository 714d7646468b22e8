package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.DatedIds;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Ruling;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Retention counts only time in which somebody sweeps: an outage makes nothing run out (K3). */
class RetentionTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Ruling REPLAY = new Ruling.Replied(Reply.ok("moved 10"), true);

  private final Bank bank = new Bank();
  private final HandMovedClock clock = new HandMovedClock(bank);
  private final OnceTransaction once = OnceTransaction.on(clock.dataSource()).build();

  private int sweep() {
    return Sweeper.sweep(clock.dataSource(), 1000, MINUTE);
  }

  /** The application is up, for so long, and sweeps. */
  private int dropsWithin(Duration time) {
    int dropped = 0;
    for (long minutes = time.toMinutes(); minutes > 0; minutes--) {
      clock.pass(MINUTE);
      dropped += sweep();
    }
    return dropped;
  }

  @Test
  void anOutageLongerThanTheRetentionMakesNothingRunAgain() {
    once.decide(asking("a"), transfer(10));
    sweep();
    clock.pass(DAY.multipliedBy(30));
    assertThat(sweep()).isZero();
    assertThat(once.decide(asking("a"), transfer(10))).isEqualTo(REPLAY);
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void whatIsLeftOfTheRetentionRunsOutAfterTheOutage() {
    once.decide(asking("a"), transfer(10));
    assertThat(dropsWithin(Duration.ofHours(12))).isZero();
    clock.pass(DAY.multipliedBy(3));
    assertThat(dropsWithin(Duration.ofHours(11))).isZero();
    assertThat(once.decide(asking("a"), transfer(10))).isEqualTo(REPLAY);
    assertThat(dropsWithin(Duration.ofHours(2))).isEqualTo(1);
  }

  /** Nobody has counted the outage yet when it is written; it is kept too long, not too short. */
  @Test
  void aRecordFromBeforeTheFirstSweepIsKeptForAtLeastItsRetention() {
    sweep();
    clock.pass(DAY.multipliedBy(3));
    once.decide(asking("a"), transfer(10));
    assertThat(dropsWithin(Duration.ofHours(23))).isZero();
    assertThat(once.decide(asking("a"), transfer(10))).isEqualTo(REPLAY);
  }

  @Test
  void aRecordFromAfterTheOutageLastsAsLongAsAnyOther() {
    clock.pass(DAY.multipliedBy(3));
    sweep();
    once.decide(asking("a"), transfer(10));
    assertThat(dropsWithin(Duration.ofHours(23))).isZero();
    assertThat(dropsWithin(Duration.ofHours(2))).isEqualTo(1);
  }

  @Test
  void claimsOfAStoreCountInTheSameWay() {
    JdbcClaimStore store = JdbcClaimStore.on(clock.dataSource());
    ClaimTerms terms = new ClaimTerms(60_000, DAY.toMillis());
    store.claim(asking("done"), terms);
    store.done(asking("done").id(), 1, Reply.ok("paid"));
    store.claim(asking("released"), terms);
    store.release(asking("released").id(), 1);
    sweep();
    clock.pass(DAY.multipliedBy(30));
    assertThat(store.sweep(10)).isZero();
    assertThat(store.claim(asking("done"), terms)).isEqualTo(new Claimed.Done(Reply.ok("paid")));
    assertThat(dropsWithin(Duration.ofHours(25))).isEqualTo(2);
  }

  /** A clock that is set ahead by mistake, and back again. */
  @Test
  void aClockThatJumpsMakesNothingRunOutEarly() {
    once.decide(asking("a"), transfer(10));
    sweep();
    clock.pass(DAY.multipliedBy(365));
    assertThat(sweep()).isZero();
    once.decide(asking("b"), connection -> Reply.ok("b"));
    clock.pass(DAY.multipliedBy(-365));
    assertThat(sweep()).isZero();
    assertThat(dropsWithin(Duration.ofHours(23))).isZero();
    assertThat(once.decide(asking("a"), transfer(10))).isEqualTo(REPLAY);
    assertThat(once.decide(asking("b"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("b"), true));
  }

  /** A process may be paused between any two of its transactions, and nobody else sweeps. */
  @Test
  void aSweepThatIsPausedForLongerThanTheRetentionDropsNothing() throws SQLException {
    Ask ask = new Ask(GuardedId.of(new DatedIds().next()), null, "transfer");
    once.decide(ask, transfer(10));
    try (Connection connection = clock.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Cleaning.count(connection, MINUTE.toMillis());
      clock.pass(DAY.multipliedBy(30));
      Cleaning.raiseHorizon(connection, 10);
      assertThat(bank.number("SELECT dated FROM onceward_horizon")).isEqualTo(-1);
      clock.pass(DAY.multipliedBy(30));
      assertThat(Cleaning.delete(connection, 10)).isZero();
    }
    assertThat(once.decide(ask, transfer(10))).isEqualTo(REPLAY);
    assertThat(dropsWithin(Duration.ofHours(25))).isEqualTo(1);
  }

  /** Nothing but what was counted makes a record run out, also where the horizon is ahead. */
  @Test
  void aSweepThatIsPausedBeforeItDeletesDropsNothing() throws SQLException {
    once.decide(asking("a"), transfer(10));
    bank.run("UPDATE onceward_sweep SET undated = 4000000000000000");
    bank.run("UPDATE onceward_fence SET dropped = 1");
    try (Connection connection = clock.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Cleaning.count(connection, MINUTE.toMillis());
      clock.pass(DAY.multipliedBy(30));
      assertThat(Cleaning.delete(connection, 10)).isZero();
    }
    assertThat(once.decide(asking("a"), transfer(10))).isEqualTo(REPLAY);
  }

  /** A scheduler that comes by once a day says so, or its records would last for years. */
  @Test
  void whoSweepsSeldomSaysSo() {
    once.decide(asking("a"), transfer(10));
    clock.pass(Duration.ofHours(25));
    assertThat(Sweeper.sweep(clock.dataSource(), 10, DAY)).isEqualTo(1);
  }
}
