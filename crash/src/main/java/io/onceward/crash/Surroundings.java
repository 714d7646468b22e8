package io.onceward.crash;

import io.onceward.client.Onceward;
import io.onceward.crash.bank.BankService;
import io.onceward.crash.bank.Movement;
import io.onceward.crash.bank.OutsideBank;
import io.onceward.crash.bank.Transfer;
import io.onceward.jdbc.Schema;
import io.onceward.server.FreePorts;
import io.onceward.testpostgres.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What is not killed: a PostgreSQL, a node with the bank, an outside bank. Started when first
 * needed, and gone with this process.
 */
final class Surroundings implements AutoCloseable {
  private final Path folder;
  private @Nullable PostgresServer postgres;
  private @Nullable Process node;
  private @Nullable Onceward client;
  private int clusterPort;

  Surroundings() {
    try {
      folder = Files.createTempDirectory("onceward-crash-");
    } catch (IOException e) {
      throw new UncheckedIOException("there is no room for temporary files", e);
    }
  }

  // ---- PostgreSQL -----------------------------------------------------------------------------

  PostgresServer postgres() {
    if (postgres == null) {
      // It is not the database that is killed, so its files need not be synced.
      postgres = PostgresServer.start(Map.of("fsync", "off", "max_connections", "100"));
    }
    return postgres;
  }

  /** An empty bank, and empty tables of Onceward's, in a database of their own. */
  PGSimpleDataSource freshBank(int lanes) {
    PGSimpleDataSource database = postgres().freshDatabase();
    Schema.create(database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE account (name text PRIMARY KEY, balance bigint NOT NULL)");
      statement.execute(
          "CREATE TABLE movement (number bigserial PRIMARY KEY, request text NOT NULL,"
              + " source text NOT NULL, target text NOT NULL, amount bigint NOT NULL,"
              + " remaining bigint NOT NULL)");
      statement.execute(
          "CREATE TABLE processed (request text PRIMARY KEY, kind text NOT NULL, reply text NOT"
              + " NULL)");
      for (int lane = 0; lane < lanes; lane++) {
        for (String account : List.of(source(lane), target(lane))) {
          statement.execute(
              "INSERT INTO account VALUES ('" + account + "', " + Transfer.OPENING + ")");
        }
      }
      return database;
    } catch (SQLException e) {
      throw new IllegalStateException("the bank cannot be founded", e);
    }
  }

  static String source(int lane) {
    return "lane" + lane + "-source";
  }

  static String target(int lane) {
    return "lane" + lane + "-target";
  }

  /** The book in the database; the balances have to agree with it. */
  static List<Movement> bookOf(PGSimpleDataSource database) {
    List<Movement> book = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      try (ResultSet row =
          statement.executeQuery(
              "SELECT number, request, source, target, amount, remaining FROM movement"
                  + " ORDER BY number")) {
        while (row.next()) {
          book.add(
              new Movement(
                  row.getLong(1),
                  new Transfer(
                      row.getString(2), row.getString(3), row.getString(4), row.getLong(5)),
                  row.getLong(6)));
        }
      }
      try (ResultSet row =
          statement.executeQuery(
              """
              SELECT name FROM account a WHERE balance <> %d
                - (SELECT coalesce(sum(amount), 0) FROM movement WHERE source = a.name)
                + (SELECT coalesce(sum(amount), 0) FROM movement WHERE target = a.name)
              """
                  .formatted(Transfer.OPENING))) {
        if (row.next()) {
          throw new IllegalStateException(
              "the balance of " + row.getString(1) + " does not agree with the movements");
        }
      }
      return book;
    } catch (SQLException e) {
      throw new IllegalStateException("the book cannot be read", e);
    }
  }

  // ---- the cluster ----------------------------------------------------------------------------

  /** Starts a node with an empty bank, and stops the one before it. */
  int freshCluster() {
    stopCluster();
    try {
      clusterPort = FreePorts.one();
      Path home = Files.createTempDirectory(folder, "node-");
      Process started =
          JavaProcess.start(
              ServerProgram.class,
              "512m",
              List.of(
                  home.toString(), String.valueOf(clusterPort), String.valueOf(FreePorts.one())));
      node = started;
      BufferedReader said =
          new BufferedReader(
              new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
      if (!"ready".equals(said.readLine())) {
        throw new IOException("the node ended before it was ready");
      }
      client = Onceward.connect("127.0.0.1:" + clusterPort);
      return clusterPort;
    } catch (IOException e) {
      throw new UncheckedIOException("a node does not start", e);
    }
  }

  List<Movement> bookOfCluster() {
    if (client == null) {
      throw new IllegalStateException("there is no cluster");
    }
    return BankService.movements(
        client.query(BankService.NAME, io.onceward.Bytes.EMPTY).join().bytes());
  }

  private void stopCluster() {
    if (client != null) {
      client.close();
      client = null;
    }
    if (node != null) {
      node.destroyForcibly();
      try {
        node.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      node = null;
    }
  }

  // ---- the rest -------------------------------------------------------------------------------

  OutsideBank outsideBank(boolean excludes) {
    try {
      return OutsideBank.open(excludes);
    } catch (IOException e) {
      throw new UncheckedIOException("the outside bank does not open", e);
    }
  }

  Path freshFolder() {
    try {
      return Files.createTempDirectory(folder, "journals-");
    } catch (IOException e) {
      throw new UncheckedIOException("there is no room for journals", e);
    }
  }

  @Override
  public void close() {
    stopCluster();
    if (postgres != null) {
      postgres.close();
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("something is left behind in " + folder, e);
    }
  }
}
