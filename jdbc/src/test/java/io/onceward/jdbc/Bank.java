package io.onceward.jdbc;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedId;
import io.onceward.testpostgres.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A schema of one's own with Onceward's tables and two accounts. */
final class Bank {
  private final PostgresServer server;
  private final PGSimpleDataSource dataSource;

  Bank() {
    this(PostgresServer.shared());
  }

  Bank(PostgresServer server) {
    this.server = server;
    dataSource = server.freshSchema();
    Schema.create(dataSource);
    run(
        "CREATE TABLE account (name text PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0))");
    run("CREATE TABLE entry (id bigserial PRIMARY KEY, note text NOT NULL)");
    run("INSERT INTO account VALUES ('alice', 100), ('bob', 0)");
  }

  PGSimpleDataSource dataSource() {
    return dataSource;
  }

  /** Another data source for the same database, to be set up differently. */
  PGSimpleDataSource anotherDataSource() {
    PGSimpleDataSource another = server.database(dataSource.getDatabaseName());
    another.setCurrentSchema(dataSource.getCurrentSchema());
    return another;
  }

  /** As an administrator: in autocommit mode, on a connection of its own. */
  void run(String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  String ask(String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  long number(String sql) {
    return Long.parseLong(ask(sql));
  }

  long balance(String account) {
    return number("SELECT balance FROM account WHERE name = '" + account + "'");
  }

  long records() {
    return number("SELECT count(*) FROM onceward_request");
  }

  long entries() {
    return number("SELECT count(*) FROM entry");
  }

  /** Backends of this database that wait for a lock. */
  long waiting() {
    return number(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND wait_event_type = 'Lock'");
  }

  OnceTransactionBuilder builder() {
    return OnceTransaction.on(dataSource);
  }

  static Ask asking(String key) {
    return new Ask(GuardedId.of(Key.text(key)), new Fingerprint(key.hashCode()), "transfer");
  }

  /** Moves money from alice to bob. */
  static Work transfer(long amount) {
    return connection -> {
      move(connection, amount);
      return Reply.ok("moved " + amount);
    };
  }

  static void move(Connection connection, long amount) throws SQLException {
    update(connection, "UPDATE account SET balance = balance - ? WHERE name = 'alice'", amount);
    update(connection, "UPDATE account SET balance = balance + ? WHERE name = 'bob'", amount);
  }

  static void update(Connection connection, String sql, long amount) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, amount);
      statement.executeUpdate();
    }
  }

  static void note(Connection connection, String note) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO entry (note) VALUES (?)")) {
      statement.setString(1, note);
      statement.executeUpdate();
    }
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A pool, which the caller closes. */
  static com.zaxxer.hikari.HikariDataSource pool(DataSource dataSource, int connections) {
    com.zaxxer.hikari.HikariConfig config = new com.zaxxer.hikari.HikariConfig();
    config.setDataSource(dataSource);
    config.setMaximumPoolSize(connections);
    return new com.zaxxer.hikari.HikariDataSource(config);
  }
}
