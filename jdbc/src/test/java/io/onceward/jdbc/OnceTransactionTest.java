package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceward.Bytes;
import io.onceward.Executed;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Meaning;
import io.onceward.guard.RefusedByGuardException;
import io.onceward.guard.Ruling;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The plain way of a request through a transaction of its own (G5, E1 to E9). */
class OnceTransactionTest {
  private static final class InsufficientFunds extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InsufficientFunds() {
      super("insufficient funds");
    }
  }

  private final Bank bank = new Bank();
  private final OnceTransaction once =
      bank.builder()
          .classify(
              e -> e instanceof InsufficientFunds ? Meaning.BUSINESS_ERROR : Meaning.DID_NOT_HAPPEN)
          .build();

  @Test
  void executesOnceAndAnswersRetriesWithTheSameReply() {
    assertThat(once.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
    assertThat(once.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void anotherPayloadUnderTheSameIdIsRefusedAndDoesNothing() {
    once.decide(asking("a"), transfer(10));
    Ask other = new Ask(asking("a").id(), new Fingerprint(-1), "transfer");
    assertThat(once.decide(other, transfer(50)))
        .isEqualTo(new Ruling.Refused(Refusal.MISMATCH, ""));
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void aFingerprintWhereThereWasNoneIsAMismatchAndTheReverseReplays() {
    Ask without = new Ask(asking("a").id(), null, "transfer");
    once.decide(without, transfer(10));
    assertThat(once.decide(asking("a"), transfer(10))).isInstanceOf(Ruling.Refused.class);

    once.decide(asking("b"), transfer(10));
    assertThat(once.decide(new Ask(asking("b").id(), null, "transfer"), transfer(10)))
        .isInstanceOf(Ruling.Replied.class);
    assertThat(bank.balance("bob")).isEqualTo(20);
  }

  @Test
  void nobodyIsGivenTheReplyOfAnotherTenant() {
    Key key = Key.text("same");
    List<GuardedId> ids =
        List.of(
            new GuardedId("", Scope.NONE, key),
            new GuardedId("alice", Scope.NONE, key),
            new GuardedId("", new Scope("alice"), key),
            new GuardedId("alice", new Scope("shop"), key),
            new GuardedId("", Scope.NONE, Key.of(Key.Kind.HASH, key.high(), key.low())));
    for (GuardedId id : ids) {
      assertThat(once.decide(new Ask(id, null, "x"), connection -> Reply.ok(id.toString())))
          .isEqualTo(new Ruling.Replied(Reply.ok(id.toString()), false));
    }
    for (GuardedId id : ids) {
      assertThat(once.decide(new Ask(id, null, "x"), connection -> Reply.ok("again")))
          .isEqualTo(new Ruling.Replied(Reply.ok(id.toString()), true));
    }
  }

  @Test
  void aThrownBusinessErrorUndoesItsWritesAndIsReplayed() {
    AtomicInteger runs = new AtomicInteger();
    Work overdraw =
        connection -> {
          runs.incrementAndGet();
          Bank.note(connection, "overdrawing");
          throw new InsufficientFunds();
        };
    assertThat(once.decide(asking("a"), overdraw))
        .isEqualTo(new Ruling.Replied(Reply.businessError("insufficient funds"), false));
    assertThat(once.decide(asking("a"), overdraw))
        .isEqualTo(new Ruling.Replied(Reply.businessError("insufficient funds"), true));
    assertThat(runs).hasValue(1);
    assertThat(bank.entries()).isZero();
    assertThat(bank.records()).isEqualTo(1);
  }

  @Test
  void aReturnedBusinessErrorUndoesItsWritesToo() {
    assertThat(
            once.decide(
                asking("a"),
                connection -> {
                  Bank.note(connection, "overdrawing");
                  return Reply.businessError("no");
                }))
        .isEqualTo(new Ruling.Replied(Reply.businessError("no"), false));
    assertThat(bank.entries()).isZero();
    assertThat(bank.records()).isEqualTo(1);
  }

  @Test
  void aConstraintThatTheBusinessCodeTurnsIntoItsOwnErrorIsRemembered() {
    Work overdraw =
        connection -> {
          try {
            Bank.move(connection, 1000);
            return Reply.ok("moved");
          } catch (SQLException e) {
            InsufficientFunds error = new InsufficientFunds();
            error.initCause(e);
            throw error;
          }
        };
    assertThat(once.decide(asking("a"), overdraw))
        .isEqualTo(new Ruling.Replied(Reply.businessError("insufficient funds"), false));
    bank.run("UPDATE account SET balance = 10000 WHERE name = 'alice'");
    assertThat(once.decide(asking("a"), overdraw))
        .isEqualTo(new Ruling.Replied(Reply.businessError("insufficient funds"), true));
    assertThat(bank.balance("bob")).isZero();
  }

  @Test
  void anyOtherExceptionRollsBackEverythingAndTheRetryRuns() {
    IllegalArgumentException bug = new IllegalArgumentException("bug");
    Ruling ruling =
        once.decide(
            asking("a"),
            connection -> {
              Bank.move(connection, 10);
              throw bug;
            });
    assertThat(ruling).isEqualTo(new Ruling.DidNotHappen(bug));
    assertThat(bank.balance("bob")).isZero();
    assertThat(bank.records()).isZero();
    assertThat(once.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
  }

  @Test
  void replyOfOneMebibyteIsKeptAndALargerOneIsNeitherKeptNorExecutedAgain() {
    byte[] bytes = new byte[1 << 20];
    bytes[12345] = 77;
    once.decide(asking("fits"), connection -> Reply.ok(Bytes.of(bytes)));
    assertThat(once.decide(asking("fits"), transfer(1)))
        .isEqualTo(new Ruling.Replied(Reply.ok(Bytes.of(bytes)), true));

    Work large =
        connection -> {
          Bank.move(connection, 10);
          return Reply.ok(Bytes.of(new byte[(1 << 20) + 1]));
        };
    assertThat(once.decide(asking("large"), large))
        .isEqualTo(new Ruling.Replied(Reply.REPLY_TOO_LARGE, false));
    assertThat(once.decide(asking("large"), large))
        .isEqualTo(new Ruling.Replied(Reply.REPLY_TOO_LARGE, true));
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void theRecordIsReadableInSqlWithItsTextKey() {
    once.decide(
        new Ask(GuardedId.of("shop", Key.text("order 4711")), null, "pay", "for a hat"),
        transfer(10));
    assertThat(
            bank.ask(
                "SELECT concat_ws('|', scope, key_text, operation, memo, state, reply_kind,"
                    + " convert_from(reply, 'UTF8')) FROM onceward_request"))
        .isEqualTo("shop|order 4711|pay|for a hat|DONE|OK|moved 10");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConnectionIsGivenBackAsItWas(boolean autoCommit) throws SQLException {
    try (Connection only = bank.dataSource().getConnection()) {
      only.setAutoCommit(autoCommit);
      // A pool that resets nothing.
      OnceTransaction pooled = OnceTransaction.on(handingOut(only)).build();
      pooled.decide(asking("a"), transfer(10));
      assertThat(only.getAutoCommit()).isEqualTo(autoCommit);
      pooled.decide(asking("a"), transfer(10));
      pooled.decide(
          asking("b"),
          connection -> {
            throw new IllegalArgumentException("bug");
          });
      assertThat(only.getAutoCommit()).isEqualTo(autoCommit);
      assertThat(bank.ask("SELECT count(*) FROM pg_locks WHERE locktype = 'transactionid'"))
          .as("open transactions")
          .isEqualTo("0");
    }
  }

  private static DataSource handingOut(Connection only) {
    Connection unclosed =
        (Connection)
            Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                    method.getName().equals("close") ? null : method.invoke(only, arguments));
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> unclosed);
  }

  @Test
  void theBusinessSqlRunsUnderItsOwnLockTimeoutNotUnderThatOfTheClaim() {
    List<String> seen = new ArrayList<>();
    once.decide(
        asking("a"),
        connection -> {
          try (var statement = connection.createStatement();
              var row = statement.executeQuery("SHOW lock_timeout")) {
            row.next();
            seen.add(row.getString(1));
          }
          return Reply.ok("");
        });
    assertThat(seen).containsExactly("0");
  }

  @Test
  void executeGivesTheReplyOrThrowsWhatTheWorkThrew() throws Exception {
    assertThat(once.execute(asking("a"), transfer(10))).isEqualTo(Reply.ok("moved 10"));
    assertThat(once.execute(asking("a"), transfer(10))).isEqualTo(Reply.ok("moved 10"));
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> once.execute(asking("b"), transfer(1000)))
        .withMessageContaining("balance");
    assertThatExceptionOfType(RefusedByGuardException.class)
        .isThrownBy(
            () ->
                once.execute(
                    new Ask(asking("a").id(), new Fingerprint(-1), "transfer"), transfer(10)))
        .satisfies(e -> assertThat(e.executed()).isEqualTo(Executed.NOT_THIS_COPY))
        .withMessageContaining("MISMATCH");
  }

  @Test
  void everyRulingIsToldToTheListener() {
    List<Ruling> heard = new ArrayList<>();
    OnceTransaction listened =
        bank.builder().listener((ask, ruling, nanos) -> heard.add(ruling)).build();
    Ruling first = listened.decide(asking("a"), transfer(1));
    Ruling second = listened.decide(asking("a"), transfer(1));
    assertThat(heard).containsExactly(first, second);
  }

  /** The reply has been committed; a meter that fails must not take it from its caller. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aListenerThatThrowsCostsNobodyTheReply(boolean error) throws Exception {
    OnceTransaction listened =
        bank.builder()
            .listener(
                (ask, ruling, nanos) -> {
                  if (error) {
                    throw new NoSuchMethodError("another version of the meter");
                  }
                  throw new IllegalArgumentException("a meter of that name has other tags");
                })
            .build();
    List<Throwable> reported = new CopyOnWriteArrayList<>();
    Thread thread =
        new Thread(
            () -> {
              // Whoever hears of it may fail too.
              Thread.currentThread()
                  .setUncaughtExceptionHandler(
                      (failed, failure) -> {
                        reported.add(failure);
                        throw new IllegalStateException("the log is closed");
                      });
              assertThat(listened.decide(asking("a"), transfer(10)))
                  .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
              assertThat(listened.decide(asking("a"), transfer(10)))
                  .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), true));
            });
    thread.start();
    thread.join();
    assertThat(reported).hasSize(2);
    try (Connection connection = bank.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThat(listened.decideWithin(connection, asking("b"), transfer(10)))
          .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
      connection.commit();
    }
    assertThat(bank.balance("bob")).isEqualTo(20);
  }

  @Test
  void aClassificationThatThrowsIsNoBusinessErrorAndLeavesNothing() throws Exception {
    OnceTransaction confused =
        bank.builder()
            .classify(
                e -> {
                  throw new ClassCastException("not what was expected");
                })
            .build();
    Work failing =
        connection -> {
          Bank.move(connection, 10);
          throw new IllegalStateException("bug");
        };
    assertThat(((Ruling.DidNotHappen) confused.decide(asking("a"), failing)).cause())
        .hasMessage("bug")
        .hasSuppressedException(new ClassCastException("not what was expected"));
    try (Connection connection = bank.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> confused.decideWithin(connection, asking("a"), failing))
          .withMessage("bug");
      connection.commit();
    }
    assertThat(bank.records()).isZero();
    assertThat(bank.balance("bob")).isZero();
  }
}
