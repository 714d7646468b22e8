package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onceward.Bytes;
import io.onceward.DatedIds;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardException;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Ruling;
import io.onceward.guard.StoreUnavailableException;
import io.onceward.testpostgres.PostgresServer;
import io.onceward.testpostgres.Wire;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The claim store beside the transactional home, and what is particular to a database. */
class JdbcClaimStoreTest {
  private static final ClaimTerms TERMS = new ClaimTerms(60_000, 60_000);
  private static final Reply PAID = Reply.ok("paid");

  private final Bank bank = new Bank();
  private final JdbcClaimStore store = JdbcClaimStore.on(bank.dataSource());
  private final OnceTransaction once = bank.builder().waitAtMost(Duration.ofMillis(50)).build();

  @Test
  void eachStepIsOneRoundTrip() throws Exception {
    try (Wire wire = new Wire(PostgresServer.shared().port());
        var pool = Bank.pool(wire.over(bank.dataSource()), 1)) {
      JdbcClaimStore far = JdbcClaimStore.on(pool);
      for (int i = 0; i < 10; i++) {
        Ask ask = asking("request " + i);
        wire.roundTrips();
        far.claim(ask, TERMS);
        assertThat(wire.roundTrips()).as("claim").isEqualTo(1);
        far.unknown(ask.id(), 1, "why");
        assertThat(wire.roundTrips()).as("unknown").isEqualTo(1);
        far.rerun(ask, 1, TERMS);
        assertThat(wire.roundTrips()).as("rerun").isEqualTo(1);
        far.done(ask.id(), 2, PAID);
        assertThat(wire.roundTrips()).as("done").isEqualTo(1);
        far.unknowns(10);
        assertThat(wire.roundTrips()).as("unknowns").isEqualTo(1);
        far.evidence(ask.id());
        assertThat(wire.roundTrips()).as("evidence").isEqualTo(1);
      }
    }
  }

  @Test
  void aTransactionReplaysWhatTheStoreDecidedAndTheOtherWayRound() {
    store.claim(asking("a"), TERMS);
    store.done(asking("a").id(), 1, PAID);
    assertThat(once.decide(asking("a"), transfer(10))).isEqualTo(new Ruling.Replied(PAID, true));

    once.decide(asking("b"), transfer(10));
    assertThat(store.claim(asking("b"), TERMS)).isEqualTo(new Claimed.Done(Reply.ok("moved 10")));
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void aTransactionDoesNotRunWhatTheStoreHasStartedOrDoesNotKnow() {
    store.claim(asking("a"), TERMS);
    assertThat(once.decide(asking("a"), transfer(10))).isInstanceOf(Ruling.InProgress.class);
    store.unknown(asking("a").id(), 1, "timed out");
    Ruling ruling = once.decide(asking("a"), transfer(10));
    assertThat(ruling).isEqualTo(new Ruling.Unknown("timed out", null, false));
    assertThat(GuardException.of(asking("a").id(), ruling)).hasMessageContaining("operator");
    assertThat(bank.balance("bob")).isZero();
  }

  @Test
  void aTransactionRunsWhatTheStoreHasReleased() {
    store.claim(asking("a"), TERMS);
    store.release(asking("a").id(), 1);
    assertThat(once.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
    assertThat(once.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(store.done(asking("a").id(), 1, PAID)).isFalse();
    assertThat(store.evidence(asking("a").id())).hasSize(1);
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  /** It has a record, so the horizon has nothing to say about it. */
  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read"})
  void aTransactionRunsWhatTheStoreHasReleasedBehindTheHorizon(String isolation) {
    PGSimpleDataSource source = bank.anotherDataSource();
    source.setOptions("-c default_transaction_isolation=" + isolation.replace(" ", "\\ "));
    OnceTransaction late = OnceTransaction.on(source).retryEvery(Duration.ofMillis(1)).build();
    Ask ask = new Ask(GuardedId.of(new DatedIds().next()), null, "transfer");
    store.claim(ask, TERMS);
    store.release(ask.id(), 1);
    bank.run("UPDATE onceward_horizon SET dated = " + (ask.id().key().dateMicros() + 1));
    assertThat(late.decide(ask, transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
    assertThat(late.decide(ask, transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
  }

  @Test
  void aReleasedRequestWhoseTransactionFailsStaysReleased() {
    store.claim(asking("a"), TERMS);
    store.release(asking("a").id(), 1);
    once.decide(
        asking("a"),
        connection -> {
          throw new IllegalArgumentException("bug");
        });
    assertThat(store.claim(asking("a"), TERMS)).isEqualTo(new Claimed.Started(2));
  }

  @Test
  void theStoreDoesNotStartWhatATransactionIsDeciding() throws Exception {
    CyclicBarrier inside = new CyclicBarrier(2);
    CompletableFuture<Ruling> transaction =
        CompletableFuture.supplyAsync(
            () ->
                once.decide(
                    asking("a"),
                    connection -> {
                      inside.await();
                      inside.await();
                      return transfer(10).run(connection);
                    }));
    inside.await();
    assertThat(store.claim(asking("a"), TERMS)).isInstanceOf(Claimed.Running.class);
    inside.await();
    transaction.get(30, TimeUnit.SECONDS);
    assertThat(store.claim(asking("a"), TERMS)).isEqualTo(new Claimed.Done(Reply.ok("moved 10")));
  }

  @Test
  void aClaimOutlivesWhatTheCallerRollsBack() throws Exception {
    try (Connection connection = bank.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Bank.note(connection, "rolled back");
      store.claim(asking("a"), TERMS);
      connection.rollback();
    }
    assertThat(bank.records()).isEqualTo(1);
  }

  @Test
  void claimsWorkAtEveryDefaultIsolation() {
    PGSimpleDataSource strict = bank.anotherDataSource();
    strict.setOptions("-c default_transaction_isolation=serializable");
    JdbcClaimStore serializable = JdbcClaimStore.on(strict);
    assertThat(serializable.claim(asking("a"), TERMS)).isEqualTo(new Claimed.Started(1));
    assertThat(serializable.done(asking("a").id(), 1, PAID)).isTrue();
  }

  @Test
  void aTextKeyComesBackWithItsText() {
    Ask ask = new Ask(GuardedId.of("shop", Key.text("order 4711")), null, "pay", "memo");
    store.claim(ask, TERMS);
    store.unknown(ask.id(), 1, "why");
    assertThat(store.unknowns(1).get(0).id().key()).hasToString("s:order 4711");
  }

  @Test
  void textsThatPostgresCannotStoreAreRefusedInIdsAndReplacedElsewhere() {
    GuardedId nul = new GuardedId("a\0b", Scope.NONE, Key.text("a"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.claim(new Ask(nul, null, "x"), TERMS))
        .withMessageContaining("principal");
    GuardedId longest =
        new GuardedId(
            "p".repeat(GuardedId.MAX_PRINCIPAL_BYTES), new Scope("s".repeat(128)), Key.text("a"));
    assertThat(store.claim(new Ask(longest, null, "x"), TERMS)).isEqualTo(new Claimed.Started(1));

    Ask odd = new Ask(GuardedId.of(Key.text("nul \0")), null, "o\0p", "m\0m");
    assertThat(store.claim(odd, TERMS)).isEqualTo(new Claimed.Started(1));
    assertThat(store.unknown(odd.id(), 1, "w\0y")).isTrue();
    assertThat(store.unknowns(1).get(0).id()).isEqualTo(odd.id());
    assertThat(store.unknowns(1).get(0).why()).isEqualTo("w\ufffdy");
  }

  @Test
  void aReplyOverTheLimitIsRefused() {
    store.claim(asking("a"), TERMS);
    Reply large = Reply.ok(Bytes.of(new byte[store.maxReplyBytes() + 1]));
    assertThatIllegalArgumentException().isThrownBy(() -> store.done(asking("a").id(), 1, large));
  }

  @Test
  void evidenceOfOneRequestIsBounded() {
    try (var pool = Bank.pool(bank.dataSource(), 1)) {
      JdbcClaimStore pooled = JdbcClaimStore.on(pool);
      pooled.claim(asking("a"), TERMS);
      pooled.done(asking("a").id(), 1, PAID);
      for (int i = 0; i < JdbcClaimStore.MAX_EVIDENCE + 5; i++) {
        pooled.done(asking("a").id(), 1, Reply.ok("late " + i));
      }
      assertThat(pooled.evidence(asking("a").id())).hasSize(JdbcClaimStore.MAX_EVIDENCE);
    }
  }

  /** The insert waits for the sweeper, and has looked at the fences before it waited. */
  @Test
  void aClaimThatMeetsASweepStartsBehindWhatTheSweepDrops() throws Exception {
    Claimed claimed = new Claimed.Running(0);
    long dropped = 0;
    // Under a heavy load the claim may not wait long enough for the sweep.
    while (claimed instanceof Claimed.Running) {
      dropped = 1 + bank.number("SELECT dropped FROM onceward_fence");
      String name = "'request " + dropped + "'";
      Ask ask = asking("request " + dropped);
      store.claim(ask, TERMS);
      bank.run("UPDATE onceward_request SET fence = " + dropped + ", state = 'DONE'");
      try (Connection sweep = bank.dataSource().getConnection()) {
        sweep.setAutoCommit(false);
        Bank.run(sweep, "DELETE FROM onceward_request WHERE key_text = " + name);
        CompletableFuture<Claimed> claim =
            CompletableFuture.supplyAsync(() -> store.claim(ask, TERMS));
        Eventually.until("the claim waits", () -> bank.waiting() == 1 || claim.isDone());
        bank.run("UPDATE onceward_fence SET dropped = " + dropped);
        sweep.commit();
        claimed = claim.get(30, TimeUnit.SECONDS);
      }
    }
    assertThat(claimed).isEqualTo(new Claimed.Started(dropped + 2));
  }

  /** Of several that are past their retention, a small sweep drops the oldest only. */
  @Test
  void aSweepSaysNothingOfWhatItLeaves() {
    GuardedId dated = GuardedId.of(new DatedIds().next());
    store.abandon(dated, 1);
    store.abandon(asking("undated").id(), 1);
    bank.run(
        "UPDATE onceward_request SET expires_at = now() - interval '1 hour'"
            + " - CASE WHEN dated IS NULL THEN interval '0' ELSE interval '1 hour' END");
    assertThat(store.sweep(1)).isEqualTo(1);
    assertThat(store.outcome(dated)).isInstanceOf(GuardedOutcome.NoRecordSince.class);
    assertThat(store.outcome(asking("a").id())).isEqualTo(new GuardedOutcome.NeverSeen());
    assertThat(store.claim(asking("a"), TERMS)).isEqualTo(new Claimed.Started(1));
    assertThat(store.sweep(1)).isEqualTo(1);
    assertThat(store.outcome(asking("b").id())).isInstanceOf(GuardedOutcome.NoRecordSince.class);
    assertThat(store.claim(asking("b"), TERMS)).isEqualTo(new Claimed.Started(2));
  }

  /** The in-progress lease ran out and the effect was repeated: not here (G2, G3). */
  @Test
  void aGuardOnThisStoreRunsNothingAgainWhoseLeaseRanOut() throws Exception {
    CyclicBarrier inside = new CyclicBarrier(2);
    try (Guard slow = Guard.on(store).lease(Duration.ofMillis(400)).build();
        Guard other = Guard.on(JdbcClaimStore.on(bank.dataSource())).build()) {
      CompletableFuture<Ruling> withdrawal =
          CompletableFuture.supplyAsync(
              () ->
                  slow.decide(
                      asking("withdrawal"),
                      run -> {
                        inside.await();
                        inside.await();
                        return Reply.ok("withdrawn");
                      }));
      inside.await();
      Eventually.until("the lease is over", () -> other.unknowns(1).size() == 1);
      assertThat(
              other.decide(
                  asking("withdrawal"),
                  run -> {
                    throw new AssertionError("executed again");
                  }))
          .isInstanceOf(Ruling.Unknown.class);
      inside.await();
      withdrawal.get(30, TimeUnit.SECONDS);
      assertThat(other.decide(asking("withdrawal"), run -> Reply.ok("again")))
          .as("its late true completion resolved it")
          .isEqualTo(new Ruling.Replied(Reply.ok("withdrawn"), true));
    }
  }

  @Test
  void aDatabaseThatIsGoneIsSaidToBeUnavailable() {
    PGSimpleDataSource gone = bank.anotherDataSource();
    JdbcClaimStore cut = JdbcClaimStore.on(gone);
    gone.setPortNumbers(new int[] {1});
    assertThatExceptionOfType(StoreUnavailableException.class)
        .isThrownBy(() -> cut.claim(asking("a"), TERMS));
    assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> cut.sweep(1));
  }
}
