package io.onceward.benchmarks.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onceward.DatedIds;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Ruling;
import io.onceward.jdbc.OnceTransaction;
import io.onceward.jdbc.Schema;
import io.onceward.testpostgres.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A bank on a pool of connections: a transfer is two updates and an insert, with and without the
 * guard around it, by the same statements.
 */
final class Transfers implements AutoCloseable {
  private static final int ACCOUNTS = 10_000;

  /** Kept here, or its level would be forgotten with it. */
  private static final Logger POOL_LOG = Logger.getLogger("com.zaxxer.hikari");

  static {
    POOL_LOG.setLevel(Level.WARNING);
  }

  private final HikariDataSource pool;
  private final OnceTransaction once;
  private final DatedIds ids = new DatedIds();

  Transfers(PostgresServer server, int connections) throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setDataSource(server.freshDatabase());
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(connections);
    pool = new HikariDataSource(config);
    Schema.create(pool);
    run(
        "CREATE TABLE account (id int PRIMARY KEY, balance bigint NOT NULL) WITH (fillfactor = 50)");
    run("CREATE TABLE transfer (id bigserial PRIMARY KEY, source int, target int, amount bigint)");
    run("INSERT INTO account SELECT i, 0 FROM generate_series(1, " + ACCOUNTS + ") i");
    run("VACUUM ANALYZE");
    once = OnceTransaction.on(pool).build();
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** As most services do it. */
  void plain() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      transfer(connection);
      connection.commit();
    }
  }

  /** The same, once. */
  void guarded() throws SQLException {
    guarded(ids.next(), 0);
  }

  /**
   * The same under this key.
   *
   * @param holdSeconds how long it stays in its transaction
   */
  void guarded(Key key, double holdSeconds) throws SQLException {
    Ask ask = new Ask(GuardedId.of("bank", key), null, "transfer");
    Ruling ruling =
        once.decide(
            ask,
            connection -> {
              transfer(connection);
              if (holdSeconds > 0) {
                hold(connection, holdSeconds);
              }
              return Reply.ok("transferred");
            });
    if (!(ruling instanceof Ruling.Replied)) {
      throw new SQLException("a transfer was not replied to: " + ruling);
    }
  }

  Key nextKey() {
    return ids.next();
  }

  private static void hold(Connection connection, double seconds) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT pg_sleep(?)")) {
      statement.setDouble(1, seconds);
      statement.execute();
    }
  }

  private static void transfer(Connection connection) throws SQLException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    // In order, so that transfers do not deadlock: that is not what is measured.
    int first = random.nextInt(1, ACCOUNTS);
    int second = random.nextInt(first + 1, ACCOUNTS + 1);
    move(connection, first, -1);
    move(connection, second, 1);
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO transfer (source, target, amount) VALUES (?, ?, 1)")) {
      statement.setInt(1, first);
      statement.setInt(2, second);
      statement.executeUpdate();
    }
  }

  private static void move(Connection connection, int account, long amount) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?")) {
      statement.setLong(1, amount);
      statement.setInt(2, account);
      statement.executeUpdate();
    }
  }

  long transfers() throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM transfer")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
