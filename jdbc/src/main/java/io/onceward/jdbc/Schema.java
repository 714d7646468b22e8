package io.onceward.jdbc;

import io.onceward.guard.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Onceward's tables: made here on request, or by whatever the user makes tables with. The same SQL
 * is the resource {@code io/onceward/jdbc/postgresql.sql}, and a repeatable migration for Flyway in
 * the location {@code classpath:db/onceward}.
 */
public final class Schema {
  /** Of the tables. A later version of Onceward that needs others says so, and how to get there. */
  static final int VERSION = 3;

  private static final int OLDEST_SERVER = 13;
  private static final String SCRIPT = "postgresql.sql";

  /** So that processes that start together make the tables one after the other. */
  private static final long CREATION_LOCK = 0x6f6e636577617264L;

  private static final Map<String, List<String>> TABLES =
      Map.of(
          "onceward_request",
          List.of(
              "principal",
              "scope",
              "key_kind",
              "key_high",
              "key_low",
              "key_text",
              "dated",
              "fingerprint",
              "operation",
              "memo",
              "state",
              "fence",
              "started_at",
              "lease_until",
              "why",
              "retention_millis",
              "expires_at",
              "reply_kind",
              "reply"),
          "onceward_evidence",
          List.of(
              "principal",
              "scope",
              "key_kind",
              "key_high",
              "key_low",
              "fence",
              "reply_kind",
              "reply",
              "arrived_at"),
          "onceward_horizon",
          List.of("only_row", "dated"),
          "onceward_sweep",
          List.of("only_row", "swept_at", "uncounted_millis", "undated"),
          "onceward_fence",
          List.of("only_row", "dropped"),
          "onceward_schema",
          List.of("only_row", "version", "identity"));

  private Schema() {}

  /** The SQL that makes the tables. Running it again changes nothing. */
  public static String script() {
    try (InputStream in = Schema.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + SCRIPT + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Makes what is missing, in the first schema of the connection's search path, and checks the
   * result as {@link #validate} does.
   *
   * @throws IllegalStateException if the database is not PostgreSQL, or has other tables of these
   *     names
   * @throws StoreUnavailableException if the database did not do it
   */
  public static void create(DataSource dataSource) {
    try (Connection connection = dataSource.getConnection()) {
      requirePostgres(connection);
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SELECT pg_advisory_xact_lock(" + CREATION_LOCK + ")");
        statement.execute(script());
        connection.commit();
      } catch (SQLException e) {
        connection.rollback();
        throw e;
      }
      connection.setAutoCommit(autoCommit);
    } catch (SQLException e) {
      throw new StoreUnavailableException("Onceward's tables could not be made", e);
    }
    validate(dataSource);
  }

  /**
   * Checks that the database is one that the promise holds on, and that the tables are there.
   *
   * @throws IllegalStateException if not; the message says what is wrong
   * @throws StoreUnavailableException if the database did not answer
   */
  public static void validate(DataSource dataSource) {
    identity(dataSource);
  }

  /** As {@link #validate}; tells which database it is. */
  static UUID identity(DataSource dataSource) {
    try (Connection connection = dataSource.getConnection()) {
      requirePostgres(connection);
      try (Statement statement = connection.createStatement()) {
        requireTables(statement);
        requireOrdinaryTable(statement);
        requireDurableTables(statement);
        requirePrimaryKey(statement);
        return requireVersion(statement);
      } finally {
        if (!connection.getAutoCommit()) {
          connection.rollback();
        }
      }
    } catch (SQLException e) {
      throw new StoreUnavailableException("the database did not tell about Onceward's tables", e);
    }
  }

  private static void requirePostgres(Connection connection) throws SQLException {
    DatabaseMetaData database = connection.getMetaData();
    String product = database.getDatabaseProductName();
    if (!product.equals("PostgreSQL")) {
      throw new IllegalStateException(
          "Onceward's transactions hold on PostgreSQL only, and this is "
              + product
              + ". MariaDB and MySQL are not supported: there, a duplicate that waits is not proven"
              + " to see the first one's reply, and nobody has tested it.");
    }
    if (database.getDatabaseMajorVersion() < OLDEST_SERVER) {
      throw new IllegalStateException(
          "Onceward needs PostgreSQL "
              + OLDEST_SERVER
              + " or newer, and this is "
              + database.getDatabaseProductVersion());
    }
  }

  private static void requireTables(Statement statement) throws SQLException {
    List<String> missing = new ArrayList<>();
    for (String table : new TreeSet<>(TABLES.keySet())) {
      List<String> columns = new ArrayList<>(TABLES.getOrDefault(table, List.of()));
      int expected = columns.size();
      try (ResultSet row =
          statement.executeQuery(
              "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('"
                  + table
                  + "') AND attnum > 0 AND NOT attisdropped")) {
        while (row.next()) {
          columns.remove(row.getString(1));
        }
      }
      if (columns.size() == expected) {
        missing.add("the table " + table);
      } else if (!columns.isEmpty()) {
        missing.add("in the table " + table + " the columns " + String.join(", ", columns));
      }
    }
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "the database lacks "
              + String.join("; ", missing)
              + ". Call Schema.create, or run the resource io/onceward/jdbc/"
              + SCRIPT
              + " (for Flyway: add the location classpath:db/onceward).");
    }
  }

  /** A record is found again by its place, of which a partitioned table has one per partition. */
  private static void requireOrdinaryTable(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT 1 FROM pg_class WHERE oid = to_regclass('onceward_request') AND relkind = 'r'")) {
      if (!row.next()) {
        throw new IllegalStateException(
            "onceward_request is partitioned, or not a table: use it as the script makes it");
      }
    }
  }

  /**
   * An unlogged table is empty after a crash of the server, and a temporary one is one session's.
   */
  private static void requireDurableTables(Statement statement) throws SQLException {
    List<String> fleeting = new ArrayList<>();
    for (String table : new TreeSet<>(TABLES.keySet())) {
      try (ResultSet row =
          statement.executeQuery(
              "SELECT 1 FROM pg_class WHERE oid = to_regclass('"
                  + table
                  + "') AND relpersistence <> 'p'")) {
        if (row.next()) {
          fleeting.add(table);
        }
      }
    }
    if (!fleeting.isEmpty()) {
      throw new IllegalStateException(
          String.join(", ", fleeting)
              + " does not survive a crash of the server: it is unlogged or temporary, and requests"
              + " that it forgets would execute again. ALTER TABLE ... SET LOGGED makes it durable.");
    }
  }

  /** Without it no claim would ever meet another. */
  private static void requirePrimaryKey(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            """
            SELECT 1 FROM pg_index
            WHERE indrelid = to_regclass('onceward_request') AND indisunique AND indisvalid
              AND indpred IS NULL AND pg_get_indexdef(indexrelid)
                LIKE '%(principal, scope, key_kind, key_high, key_low)%'
            """)) {
      if (!row.next()) {
        throw new IllegalStateException(
            "the table onceward_request lacks its primary key (principal, scope, key_kind, key_high,"
                + " key_low): without it, a request would execute each time it is sent");
      }
    }
  }

  private static UUID requireVersion(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT s.version, s.identity, h.dated, w.swept_at, f.dropped FROM onceward_schema s,"
                + " onceward_horizon h, onceward_sweep w, onceward_fence f")) {
      if (!row.next()) {
        throw new IllegalStateException(
            "onceward_schema, onceward_horizon, onceward_sweep or onceward_fence has lost its only"
                + " row; without it, old requests could execute again. Run Schema.create only if no"
                + " record was ever cleaned up.");
      }
      if (row.getInt(1) != VERSION) {
        throw new IllegalStateException(
            "the tables are of version "
                + row.getInt(1)
                + ", and this Onceward works with version "
                + VERSION
                + "; Schema.create, or the script, brings older ones there");
      }
      return row.getObject(2, UUID.class);
    }
  }
}
