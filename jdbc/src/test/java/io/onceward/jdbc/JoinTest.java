package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.onceward.DatedIds;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Meaning;
import io.onceward.guard.Ruling;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction of the caller's, and transactions that somebody else manages (G5). */
class JoinTest {
  /** A reason of the domain. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final Bank bank = new Bank();
  private final OnceTransaction once =
      bank.builder()
          .waitAtMost(Duration.ofMillis(50))
          .retryEvery(Duration.ofMillis(1))
          .classify(e -> e instanceof Refused ? Meaning.BUSINESS_ERROR : Meaning.UNKNOWN)
          .businessReply(e -> io.onceward.Bytes.utf8("refused"))
          .build();

  private Connection transaction() throws SQLException {
    Connection connection = bank.dataSource().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  @Test
  void claimWorkAndReplyAreInTheTransactionOfTheCaller() throws Exception {
    try (Connection connection = transaction()) {
      Bank.note(connection, "by the caller");
      assertThat(once.decideWithin(connection, asking("a"), transfer(10)))
          .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
      assertThat(bank.records()).isZero();
      connection.commit();
    }
    assertThat(bank.balance("bob")).isEqualTo(10);
    assertThat(once.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
  }

  /** Execution 10: the user's outer transaction rolls back after the reply was there. */
  @Test
  void anOuterRollbackTakesTheMemoryWithTheEffect() throws Exception {
    try (Connection connection = transaction()) {
      once.decideWithin(connection, asking("a"), transfer(10));
      connection.rollback();
    }
    assertThat(bank.records()).isZero();
    assertThat(once.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void aSecondCopyInTheSameTransactionReplays() throws Exception {
    try (Connection connection = transaction()) {
      once.decideWithin(connection, asking("a"), transfer(10));
      assertThat(once.decideWithin(connection, asking("a"), transfer(10)))
          .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
      connection.commit();
    }
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void aBusinessErrorUndoesOnlyTheWorkAndCommitsWithTheCaller() throws Exception {
    try (Connection connection = transaction()) {
      Bank.note(connection, "by the caller");
      Ruling ruling =
          once.decideWithin(
              connection,
              asking("a"),
              c -> {
                Bank.note(c, "by the work");
                throw new Refused();
              });
      assertThat(ruling).isEqualTo(new Ruling.Replied(Reply.businessError("refused"), false));
      connection.commit();
    }
    assertThat(bank.ask("SELECT string_agg(note, ',') FROM entry")).isEqualTo("by the caller");
    assertThat(once.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.businessError("refused"), true));
  }

  @Test
  void anyOtherExceptionLeavesTheTransactionAsItWas() throws Exception {
    try (Connection connection = transaction()) {
      Bank.note(connection, "by the caller");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  once.decideWithin(
                      connection,
                      asking("a"),
                      c -> {
                        Bank.note(c, "by the work");
                        throw new IllegalArgumentException("bug");
                      }));
      connection.commit();
    }
    assertThat(bank.ask("SELECT string_agg(note, ',') FROM entry")).isEqualTo("by the caller");
    assertThat(bank.records()).isZero();
  }

  @Test
  void anSqlErrorOfTheWorkLeavesTheTransactionUsable() throws Exception {
    try (Connection connection = transaction()) {
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> once.decideWithin(connection, asking("a"), transfer(1000)));
      Bank.note(connection, "goes on");
      connection.commit();
    }
    assertThat(bank.entries()).isEqualTo(1);
    assertThat(bank.records()).isZero();
  }

  /** Catching a duplicate-key error would leave the caller with an aborted transaction (25P02). */
  @Test
  void aCopyThatIsInProgressLeavesTheTransactionUsable() throws Exception {
    try (Connection first = transaction();
        Connection second = transaction()) {
      once.decideWithin(first, asking("a"), transfer(10));
      assertThat(once.decideWithin(second, asking("a"), transfer(10)))
          .isInstanceOf(Ruling.InProgress.class);
      Bank.note(second, "goes on");
      second.commit();
      first.commit();
    }
    assertThat(bank.entries()).isEqualTo(1);
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void aRefusedKeyLeavesTheTransactionUsable() throws Exception {
    bank.run("UPDATE onceward_horizon SET dated = 9000000000000000");
    try (Connection connection = transaction()) {
      Ask old = new Ask(GuardedId.of(new DatedIds().next()), null, "x");
      assertThat(once.decideWithin(connection, old, transfer(10)))
          .isEqualTo(new Ruling.Refused(Refusal.FORGOTTEN, ""));
      Bank.note(connection, "goes on");
      connection.commit();
    }
    assertThat(bank.entries()).isEqualTo(1);
    assertThat(bank.records()).isZero();
  }

  @Test
  void theSettingsOfTheTransactionAreTheCallersAfterwards() throws Exception {
    once.decide(asking("known"), transfer(10));
    try (Connection connection = transaction()) {
      Bank.run(connection, "SET LOCAL lock_timeout = '1234ms'");
      once.decideWithin(connection, asking("new"), transfer(10));
      assertThat(settings(connection)).isEqualTo("1234ms on");
      once.decideWithin(connection, asking("known"), transfer(10));
      assertThat(settings(connection)).isEqualTo("1234ms on");
    }
  }

  private static String settings(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "SELECT current_setting('lock_timeout') || ' ' || current_setting('enable_seqscan')")) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void autocommitIsRefused() throws Exception {
    try (Connection connection = bank.dataSource().getConnection()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> once.decideWithin(connection, asking("a"), transfer(10)))
          .withMessageContaining("autocommit");
    }
    assertThat(bank.balance("bob")).isZero();
  }

  @Test
  void readOnlyIsRefused() throws Exception {
    try (Connection connection = transaction()) {
      connection.setReadOnly(true);
      assertThatIllegalStateException()
          .isThrownBy(() -> once.decideWithin(connection, asking("a"), transfer(10)))
          .withMessageContaining("read-only");
    }
    try (Connection connection = transaction()) {
      Bank.run(connection, "SET TRANSACTION READ ONLY");
      assertThatIllegalStateException()
          .isThrownBy(() -> once.decideWithin(connection, asking("a"), transfer(10)))
          .withMessageContaining("read-only");
    }
  }

  @Test
  void aConnectionOfAnotherDatabaseIsRefused() throws Exception {
    Bank other = new Bank();
    try (Connection connection = other.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThatIllegalStateException()
          .isThrownBy(() -> once.decideWithin(connection, asking("a"), transfer(10)))
          .withMessageContaining("another database");
      connection.commit();
    }
    assertThat(other.records()).isZero();
    other.run("DROP TABLE onceward_request");
    try (Connection connection = other.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThatIllegalStateException()
          .isThrownBy(() -> once.decideWithin(connection, asking("a"), transfer(10)))
          .withMessageContaining("does not have Onceward's tables");
    }
  }

  @Test
  void aDeadlockAsksForAnotherRunOfTheWholeTransaction() throws Exception {
    try (Connection connection = transaction()) {
      assertThatExceptionOfType(RunAgainException.class)
          .isThrownBy(
              () ->
                  once.decideWithin(
                      connection,
                      asking("a"),
                      c -> {
                        throw new Refused2(new SQLException("as if", "40P01"));
                      }));
    }
  }

  /** Wraps. */
  private static final class Refused2 extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused2(Throwable cause) {
      super(cause);
    }
  }

  @Test
  void aRequestInsideARequestIsPartOfItsTransaction() {
    Ruling ruling =
        once.decide(
            asking("outer"),
            connection -> {
              Ruling inner = once.decide(asking("inner"), transfer(10));
              assertThat(inner).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
              assertThat(bank.records()).isZero();
              throw new IllegalArgumentException("bug");
            });
    assertThat(ruling).isInstanceOf(Ruling.DidNotHappen.class);
    assertThat(bank.balance("bob")).isZero();
    assertThat(bank.records()).isZero();

    once.decide(
        asking("outer"),
        connection -> {
          once.decide(asking("inner"), transfer(10));
          return Reply.ok("both");
        });
    assertThat(bank.records()).isEqualTo(2);
    assertThat(once.decide(asking("inner"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
  }

  @Test
  void aBusinessErrorOfAnInnerRequestIsItsOwn() {
    Ruling ruling =
        once.decide(
            asking("outer"),
            connection -> {
              Bank.note(connection, "outer");
              Ruling inner =
                  once.decide(
                      asking("inner"),
                      c -> {
                        Bank.note(c, "inner");
                        throw new Refused();
                      });
              assertThat(inner).isInstanceOf(Ruling.Replied.class);
              return Reply.ok("went on");
            });
    assertThat(ruling).isEqualTo(new Ruling.Replied(Reply.ok("went on"), false));
    assertThat(bank.ask("SELECT string_agg(note, ',') FROM entry")).isEqualTo("outer");
    assertThat(bank.records()).isEqualTo(2);
  }

  private TransactionRunner runner() {
    return inside -> {
      try (Connection connection = transaction()) {
        try {
          Ruling ruling = inside.decide(connection);
          connection.commit();
          return ruling;
        } catch (Exception e) {
          connection.rollback();
          throw e;
        }
      }
    };
  }

  @Test
  void transactionsOfSomebodyElseAreRunAgainAndReplayed() {
    AtomicInteger runs = new AtomicInteger();
    Work work =
        connection -> {
          if (runs.incrementAndGet() == 1) {
            throw new SQLException("as if", "40001");
          }
          return transfer(10).run(connection);
        };
    assertThat(once.decide(asking("a"), work, runner()))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
    assertThat(once.decide(asking("a"), work, runner()))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(runs).hasValue(2);
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void aLostCommitOfSomebodyElseIsSettledByClaimingAgain() {
    AtomicInteger commits = new AtomicInteger();
    TransactionRunner losing =
        inside -> {
          Ruling ruling = runner().run(inside);
          if (commits.incrementAndGet() == 1) {
            throw new IllegalStateException("commit failed", new SQLException("as if", "08006"));
          }
          return ruling;
        };
    assertThat(once.decide(asking("a"), transfer(10), losing))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  /** Callbacks behind the commit do SQL of their own, which fails with states of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"23505", "25006", "55P03", "57014", "42P01"})
  void aFailureBehindTheCommitIsNoProofThatItDidNotHappen(String state) {
    RuntimeException failure =
        new IllegalStateException("afterCommit", new SQLException("as if", state));
    assertThat(once.decide(asking("a"), transfer(10), failingBehindTheCommit(failure)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void aFailureBehindTheCommitThatIsNotSqlIsNoProofEither() {
    RuntimeException failure = new IllegalStateException("afterCommit");
    assertThat(once.decide(asking("a"), transfer(10), failingBehindTheCommit(failure)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  private TransactionRunner failingBehindTheCommit(RuntimeException failure) {
    return inside -> {
      runner().run(inside);
      throw failure;
    };
  }

  /** All exceptions are business errors here, and the claim that only asks must not become one. */
  @Test
  void aCommitThatFailsForAReasonDidNotHappenAndIsNotRunAgain() {
    OnceTransaction lenient = bank.builder().classify(e -> Meaning.BUSINESS_ERROR).build();
    bank.run("CREATE TABLE once (name text UNIQUE DEFERRABLE INITIALLY DEFERRED)");
    bank.run("INSERT INTO once VALUES ('taken')");
    AtomicInteger runs = new AtomicInteger();
    Work work =
        connection -> {
          runs.incrementAndGet();
          Bank.run(connection, "INSERT INTO once VALUES ('taken')");
          return Reply.ok("too early");
        };
    Ruling ruling = lenient.decide(asking("a"), work, runner());
    assertThat(((Ruling.DidNotHappen) ruling).cause()).hasMessageContaining("duplicate key");
    assertThat(runs).hasValue(1);
    assertThat(bank.records()).isZero();
  }

  @Test
  void aFailedCommitThatCannotBeLookedUpIsUnknown() {
    AtomicInteger runs = new AtomicInteger();
    TransactionRunner cut =
        inside -> {
          if (runs.incrementAndGet() > 1) {
            throw new SQLException("as if", "08001");
          }
          runner().run(inside);
          throw new IllegalStateException("afterCommit", new SQLException("as if", "23505"));
        };
    OnceTransaction hasty = bank.builder().attempts(3).retryEvery(Duration.ofMillis(1)).build();
    assertThat(hasty.decide(asking("a"), transfer(10), cut)).isInstanceOf(Ruling.Unknown.class);
    assertThat(runs).hasValue(3);
    assertThat(once.decide(asking("a"), transfer(10), runner()))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
  }

  @Test
  void aFailureInTransactionsOfSomebodyElseDidNotHappen() {
    Ruling ruling =
        once.decide(
            asking("a"),
            connection -> {
              Bank.move(connection, 10);
              throw new IllegalStateException("bug");
            },
            runner());
    assertThat(((Ruling.DidNotHappen) ruling).cause()).hasMessage("bug");
    assertThat(bank.records()).isZero();
  }
}
