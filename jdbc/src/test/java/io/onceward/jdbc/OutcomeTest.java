package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.DatedIds;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Ruling;
import io.onceward.guard.StoreUnavailableException;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asking, abandoning, acknowledging and forgetting beside transactions (O1, O2, K2, K4, K5). */
class OutcomeTest {
  private static final GuardedAbandonment CLOSED = new GuardedAbandonment.Closed(false);

  private final Bank bank = new Bank();
  private final OnceTransaction once = bank.builder().waitAtMost(Duration.ofMillis(50)).build();

  @Test
  void theOutcomeOfATransactionIsItsReplyAfterTheCommit() throws Exception {
    assertThat(once.outcome(asking("a").id())).isEqualTo(new GuardedOutcome.NeverSeen());
    try (Connection connection = bank.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      once.decideWithin(connection, asking("a"), transfer(10));
      assertThat(once.outcome(asking("a").id()))
          .as("a copy may still be under way")
          .isEqualTo(new GuardedOutcome.NeverSeen());
      connection.commit();
    }
    assertThat(once.outcome(asking("a").id()))
        .isInstanceOfSatisfying(
            GuardedOutcome.Executed.class,
            executed -> assertThat(executed.reply()).isEqualTo(Reply.ok("moved 10")));
  }

  @Test
  void anAbandonedRequestIsRefusedAndAnExecutedOneIsNotClosed() throws Exception {
    assertThat(once.abandon(asking("a").id())).isEqualTo(CLOSED);
    Ruling.Refused refused = new Ruling.Refused(Refusal.ABANDONED, "");
    assertThat(once.decide(asking("a"), transfer(10))).isEqualTo(refused);
    try (Connection connection = bank.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThat(once.decideWithin(connection, asking("a"), transfer(10))).isEqualTo(refused);
      Bank.note(connection, "goes on");
      connection.commit();
    }
    assertThat(bank.balance("bob")).isZero();
    once.decide(asking("b"), transfer(10));
    assertThat(once.abandon(asking("b").id()))
        .isEqualTo(new GuardedAbandonment.Executed(Reply.ok("moved 10")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void abandoningWaitsForTheTransactionThatDecides(boolean commits) throws Exception {
    OnceTransaction patient = bank.builder().build();
    try (Connection connection = bank.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      once.decideWithin(connection, asking("a"), transfer(10));
      assertThat(once.abandon(asking("a").id()))
          .as("it is told in time that nothing is decided")
          .isInstanceOf(GuardedAbandonment.Undecided.class);
      CompletableFuture<GuardedAbandonment> abandonment =
          CompletableFuture.supplyAsync(() -> patient.abandon(asking("a").id()));
      Eventually.until("it waits", () -> bank.waiting() == 1);
      if (commits) {
        connection.commit();
      } else {
        connection.rollback();
      }
      assertThat(abandonment.get(30, TimeUnit.SECONDS))
          .isEqualTo(commits ? new GuardedAbandonment.Executed(Reply.ok("moved 10")) : CLOSED);
    }
    assertThat(bank.balance("bob")).isEqualTo(commits ? 10 : 0);
  }

  @Test
  void anAcknowledgedReplyIsNotKept() {
    once.decide(asking("a"), transfer(10));
    assertThat(once.acknowledge(asking("a").id())).isTrue();
    assertThat(bank.ask("SELECT reply FROM onceward_request")).isEqualTo("null");
    assertThat(once.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Refused(Refusal.ACKNOWLEDGED, ""));
    assertThat(once.acknowledge(asking("b").id())).isFalse();
    assertThat(bank.records()).isEqualTo(1);
  }

  @Test
  void aScopeOfDatedIdsRefusesOthersUnlessTheyAreKnown() throws Exception {
    once.decide(inShop(Key.text("known")), transfer(10));
    OnceTransaction strict = bank.builder().datedOnly(scope -> scope.name().equals("shop")).build();
    Ruling.Refused undated = new Ruling.Refused(Refusal.UNDATED, "");
    assertThat(strict.decide(inShop(Key.text("new")), transfer(10))).isEqualTo(undated);
    try (Connection connection = bank.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThat(strict.decideWithin(connection, inShop(Key.text("new")), transfer(10)))
          .isEqualTo(undated);
      connection.commit();
    }
    assertThat(bank.records()).isEqualTo(1);
    assertThat(strict.decide(inShop(Key.text("known")), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(strict.decide(inShop(new DatedIds().next()), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
    assertThat(strict.decide(asking("elsewhere"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
  }

  /** The owner of the transaction may go on, and commits nothing of a request that did not run. */
  @Test
  void whatTheUserSaysOfScopesMayFailWithoutATrace() throws Exception {
    OnceTransaction failing =
        bank.builder()
            .datedOnly(
                scope -> {
                  throw new IllegalArgumentException("no such tenant");
                })
            .build();
    try (Connection connection = bank.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(
              () -> failing.decideWithin(connection, inShop(Key.text("new")), transfer(10)))
          .hasMessage("no such tenant");
      connection.commit();
    }
    assertThat(bank.records()).isZero();
  }

  private static Ask inShop(Key key) {
    return new Ask(GuardedId.of("shop", key), null, "transfer");
  }

  @Test
  void whatIsForgottenIsCountedFirstAndDatedIdsAreNotRunAgain() {
    Ask dated = new Ask(GuardedId.of(new DatedIds().next()), null, "transfer");
    once.decide(dated, transfer(10));
    for (int i = 0; i < 1_001; i++) {
      bank.run(
          "INSERT INTO onceward_request SELECT '', '', 0, "
              + i
              + ", 0, NULL, NULL, NULL, '', '',"
              + " 'DONE', 1, now() - interval '40 days', NULL, NULL, 1, now() + interval '1 day', 'OK', ''");
    }
    Instant monthAgo = Instant.now().minus(Duration.ofDays(30));
    assertThat(once.countOlderThan(monthAgo)).isEqualTo(1_001);
    assertThat(once.forget(monthAgo)).isEqualTo(1_001);
    assertThat(once.decide(dated, transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
    assertThat(once.forget(tomorrow)).isEqualTo(1);
    assertThat(once.decide(dated, transfer(10)))
        .isEqualTo(new Ruling.Refused(Refusal.FORGOTTEN, ""));
  }

  private void manyOldOnes() {
    bank.run(
        "INSERT INTO onceward_request SELECT '', '', 0, i, 0, NULL, NULL, NULL, '', '', 'DONE', 1,"
            + " now() - interval '40 days', NULL, NULL, 1, now() + i * interval '1 minute', 'OK', ''"
            + " FROM generate_series(1, 1500) i");
  }

  private static final String LOCK_ONE =
      "SELECT FROM onceward_request WHERE key_high = 700 FOR UPDATE";

  @Test
  void whatSomebodyElseHoldsIsForgottenWhenTheyLetGo() throws Exception {
    manyOldOnes();
    try (Connection other = bank.dataSource().getConnection()) {
      other.setAutoCommit(false);
      Bank.run(other, LOCK_ONE);
      CompletableFuture<Long> forgotten =
          CompletableFuture.supplyAsync(() -> once.forget(Instant.now()));
      Eventually.until("all others are gone", () -> bank.records() == 1);
      Eventually.until("it waits for the last", () -> bank.waiting() == 1);
      other.commit();
      assertThat(forgotten.get(30, TimeUnit.SECONDS)).isEqualTo(1_500);
    }
    assertThat(bank.records()).isZero();
  }

  @Test
  void forgettingThatLeavesSomethingBehindIsNoSuccess() throws Exception {
    manyOldOnes();
    try (Connection other = bank.dataSource().getConnection()) {
      other.setAutoCommit(false);
      Bank.run(other, LOCK_ONE);
      assertThatExceptionOfType(StoreUnavailableException.class)
          .isThrownBy(() -> once.forget(Instant.now()))
          .withMessageContaining("did not forget everything")
          .withMessageContaining("1499");
      other.rollback();
    }
    assertThat(bank.records()).isEqualTo(1);
    assertThat(once.forget(Instant.now())).isEqualTo(1);
  }
}
