package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceward.Reply;
import io.onceward.guard.Ruling;
import io.onceward.testpostgres.PostgresServer;
import io.onceward.testpostgres.Wire;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A failover: connections lead to a server that is not promoted yet, and takes no writes. It is
 * away for a while, and nothing is set up wrongly.
 */
class ReadOnlyServerTest {
  private final Bank bank = new Bank();
  private final PGSimpleDataSource standby = bank.anotherDataSource();

  ReadOnlyServerTest() {
    standby.setOptions("-c default_transaction_read_only=on");
  }

  /** Hands out connections of the first, and from then on of the second. */
  private interface Source {
    Connection connection(int number) throws Exception;
  }

  private OnceTransaction on(Source source) {
    AtomicInteger taken = new AtomicInteger();
    DataSource switching =
        (DataSource)
            Proxy.newProxyInstance(
                ReadOnlyServerTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> source.connection(taken.getAndIncrement()));
    return OnceTransaction.on(switching).attempts(3).retryEvery(Duration.ofMillis(1)).build();
  }

  @Test
  void aServerThatTakesNoWritesIsAway() {
    assertThat(on(number -> standby.getConnection()).decide(asking("a"), transfer(10)))
        .isInstanceOf(Ruling.NoStore.class);
  }

  @Test
  void aServerThatIsPromotedMeanwhileIsUsed() {
    // The first connection is taken to look at the tables.
    OnceTransaction once =
        on(number -> number < 2 ? standby.getConnection() : bank.dataSource().getConnection());
    assertThat(once.decide(asking("a"), transfer(10)))
        .isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
  }

  @Test
  void aLostCommitThatTheNextServerCannotSettleIsUnknown() throws Exception {
    try (Wire wire = new Wire(PostgresServer.shared().port())) {
      DataSource first = wire.over(bank.dataSource());
      OnceTransaction once =
          on(number -> number < 2 ? first.getConnection() : standby.getConnection());
      wire.when("COMMIT", Wire.Fault.LOSE_THE_ANSWER);
      Ruling ruling = once.decide(asking("a"), transfer(10));
      assertThat(wire.hasStruck()).isTrue();
      assertThat(ruling).isInstanceOf(Ruling.Unknown.class);
      assertThat(bank.balance("bob")).isEqualTo(10);
    }
  }

  @Test
  void aLostCommitIsUnknownHoweverTheNextConnectionIsSetUp() throws Exception {
    PGSimpleDataSource reading = bank.anotherDataSource();
    reading.setReadOnly(true);
    try (Wire wire = new Wire(PostgresServer.shared().port())) {
      DataSource first = wire.over(bank.dataSource());
      OnceTransaction once =
          on(number -> number < 2 ? first.getConnection() : reading.getConnection());
      wire.when("COMMIT", Wire.Fault.LOSE_THE_ANSWER);
      assertThat(once.decide(asking("a"), transfer(10))).isInstanceOf(Ruling.Unknown.class);
    }
  }

  @Test
  void aJoinedTransactionOnSuchAServerIsToBeRunAgain() throws Exception {
    OnceTransaction once = bank.builder().build();
    try (Connection connection = standby.getConnection()) {
      connection.setAutoCommit(false);
      assertThatExceptionOfType(RunAgainException.class)
          .isThrownBy(() -> once.decideWithin(connection, asking("a"), transfer(10)));
    }
    TransactionRunner runner =
        inside -> {
          try (Connection connection = standby.getConnection()) {
            connection.setAutoCommit(false);
            return inside.decide(connection);
          }
        };
    OnceTransaction hasty = bank.builder().attempts(3).retryEvery(Duration.ofMillis(1)).build();
    assertThat(hasty.decide(asking("a"), transfer(10), runner)).isInstanceOf(Ruling.NoStore.class);
  }
}
