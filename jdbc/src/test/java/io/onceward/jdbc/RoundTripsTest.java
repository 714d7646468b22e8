package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.DatedIds;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedId;
import io.onceward.testpostgres.PostgresServer;
import io.onceward.testpostgres.Wire;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the promise costs on the wire: one round trip, and none to record the reply. */
class RoundTripsTest {
  private final Bank bank = new Bank();
  private Wire wire;
  private HikariDataSource pool;
  private OnceTransaction once;

  @BeforeEach
  void connect() throws Exception {
    wire = new Wire(PostgresServer.shared().port());
    pool = Bank.pool(wire.over(bank.dataSource()), 1);
    once = OnceTransaction.on(pool).classify(e -> io.onceward.guard.Meaning.BUSINESS_ERROR).build();
    // After some executions the driver prepares statements on the server; count before and after.
    once.decide(asking("warm"), RoundTripsTest::business);
    wire.roundTrips();
  }

  @AfterEach
  void disconnect() throws Exception {
    pool.close();
    wire.close();
  }

  private static Reply business(Connection connection) throws SQLException {
    Bank.move(connection, 1);
    Bank.note(connection, "moved");
    return Reply.ok("moved");
  }

  private int withoutGuard() throws SQLException {
    wire.roundTrips();
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      business(connection);
      connection.commit();
    }
    return wire.roundTrips();
  }

  private int guarded(Ask ask) {
    wire.roundTrips();
    once.decide(ask, RoundTripsTest::business);
    return wire.roundTrips();
  }

  @Test
  void theGuardAddsOneRoundTrip() throws SQLException {
    for (int i = 0; i < 10; i++) {
      int plain = withoutGuard();
      assertThat(plain).isEqualTo(4);
      assertThat(guarded(asking("request " + i))).isEqualTo(plain + 1);
    }
  }

  @Test
  void theHorizonOfDatedKeysIsCheckedInTheSameRoundTrip() throws SQLException {
    DatedIds ids = new DatedIds();
    for (int i = 0; i < 10; i++) {
      Ask dated = new Ask(GuardedId.of(ids.next()), null, "transfer");
      assertThat(guarded(dated)).isEqualTo(withoutGuard() + 1);
    }
  }

  @Test
  void aReplayTakesOneRoundTripAndTheEndOfItsTransaction() {
    guarded(asking("a"));
    assertThat(guarded(asking("a"))).isEqualTo(2);
  }

  @Test
  void aBusinessErrorIsUndoneAndRecordedWithItsCommit() {
    wire.roundTrips();
    once.decide(
        asking("a"),
        connection -> {
          Bank.note(connection, "overdrawing");
          throw new IllegalArgumentException("no");
        });
    // The claim, the insert, and all the rest.
    assertThat(wire.roundTrips()).isEqualTo(3);
  }
}
