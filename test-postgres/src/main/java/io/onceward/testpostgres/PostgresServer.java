package io.onceward.testpostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server of one's own, on a free port of the loopback interface, in a folder that is
 * removed when it stops. It ends with the JVM that started it, also if that is killed: the shell
 * that holds it waits for the end of its input, which comes with the JVM's death, and cleans up.
 *
 * <p>{@link #shared} is for tests: one server for all tests of a JVM, and {@link #freshDatabase}
 * for each of them. It does not sync its files, since no test survives a power failure; {@link
 * #start} takes settings, for those who measure.
 */
public final class PostgresServer implements AutoCloseable {
  private static final String LEASH =
      "folder=$1; shift; \"$@\" & server=$!; trap '' INT HUP TERM;"
          // A line on its input: the server dies and comes back.
          + " while read -r again; do"
          + " kill -QUIT $server; wait $server; \"$@\" & server=$!;"
          + " done;"
          + " kill -QUIT $server; wait $server; rm -rf \"$folder\"";

  private static final long PATIENCE_SECONDS = 60;
  private static final AtomicInteger FRESH = new AtomicInteger();
  private static @Nullable PostgresServer shared;

  private final Path folder;
  private final Process leash;
  private final int port;

  private PostgresServer(Path folder, Process leash, int port) {
    this.folder = folder;
    this.leash = leash;
    this.port = port;
  }

  /** The server that all tests of this JVM share. It stops with the JVM. */
  public static synchronized PostgresServer shared() {
    if (shared == null) {
      PostgresServer server = startForTests();
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop PostgreSQL"));
      shared = server;
    }
    return shared;
  }

  /** Starts a server as {@link #shared} has it, for a test that kills it; the caller closes it. */
  public static PostgresServer startForTests() {
    return start(Map.of("fsync", "off", "max_connections", "200", "deadlock_timeout", "100ms"));
  }

  /**
   * Starts a server, which the caller closes.
   *
   * @param settings of {@code postgresql.conf}
   */
  public static PostgresServer start(Map<String, String> settings) {
    try {
      Path programs = Programs.unpacked();
      Account account = Account.notRoot();
      Path folder = Files.createTempDirectory("onceward-postgres-data-");
      account.own(folder);
      Path data = folder.resolve("data");
      initialise(programs, account, data, folder);
      return launch(programs, account, data, folder, settings);
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while PostgreSQL was starting", e);
    }
  }

  private static void initialise(Path programs, Account account, Path data, Path folder)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile("onceward-initdb-", ".log");
    Process initdb =
        new ProcessBuilder(
                account.command(
                    List.of(
                        programs.resolve("bin/initdb").toString(),
                        "--no-sync",
                        "--no-locale",
                        "--encoding=UTF8",
                        "--auth=trust",
                        "--username=postgres",
                        "--pgdata=" + data)))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    int code = initdb.waitFor();
    String said = Files.readString(log);
    Files.delete(log);
    if (code != 0) {
      throw new IOException("initdb failed with code " + code + ":\n" + said);
    }
  }

  private static PostgresServer launch(
      Path programs, Account account, Path data, Path folder, Map<String, String> settings)
      throws IOException, InterruptedException {
    int port = freePort();
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                LEASH,
                "sh",
                folder.toString(),
                programs.resolve("bin/postgres").toString(),
                "-D",
                data.toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories="));
    settings.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
    Path log = Files.createFile(folder.resolve("server.log"));
    account.own(log);
    Process leash =
        new ProcessBuilder(account.command(command))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    PostgresServer server = new PostgresServer(folder, leash, port);
    server.awaitStartAfter("");
    return server;
  }

  /** Returns when a server answers that did not start at this moment. */
  private void awaitStartAfter(String before) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      SQLException notYet = null;
      try {
        if (!started().equals(before)) {
          return;
        }
      } catch (SQLException e) {
        notYet = e;
      }
      if (!leash.isAlive() || System.nanoTime() > deadline) {
        String said = Files.readString(folder.resolve("server.log"));
        close();
        throw new IOException("PostgreSQL did not come up on port " + port + ":\n" + said, notYet);
      }
      Thread.sleep(20);
    }
  }

  private String started() throws SQLException {
    try (Connection connection = database("postgres").getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_postmaster_start_time()")) {
      row.next();
      return row.getString(1);
    }
  }

  /**
   * Kills the server, at once and without saving anything, and starts it again on the same folder
   * and port. Returns when it has recovered and answers. What was committed is still there, also
   * without {@code fsync}, since only processes died.
   */
  public synchronized void crashAndRecover() {
    try {
      String before = started();
      leash.getOutputStream().write('\n');
      leash.getOutputStream().flush();
      awaitStartAfter(before);
    } catch (IOException | SQLException e) {
      throw new IllegalStateException("PostgreSQL did not come back", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while PostgreSQL was coming back", e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Makes an empty database. It takes some megabytes; see {@link #freshSchema}. */
  public PGSimpleDataSource freshDatabase() {
    String name = "fresh" + FRESH.incrementAndGet();
    execute("CREATE DATABASE " + name);
    return database(name);
  }

  /**
   * Makes an empty schema, which is where tables go that are made through this data source. As good
   * as a database of one's own for most tests, and much quicker.
   */
  public PGSimpleDataSource freshSchema() {
    String name = "fresh" + FRESH.incrementAndGet();
    execute("CREATE SCHEMA " + name);
    PGSimpleDataSource source = database("postgres");
    source.setCurrentSchema(name);
    return source;
  }

  private void execute(String sql) {
    try (Connection connection = database("postgres").getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** A data source without a pool; its settings may be changed before its first use. */
  public PGSimpleDataSource database(String name) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {"127.0.0.1"});
    source.setPortNumbers(new int[] {port});
    source.setDatabaseName(name);
    source.setUser("postgres");
    return source;
  }

  public int port() {
    return port;
  }

  /** Stops the server, at once and without saving anything, and removes its folder. */
  @Override
  public void close() {
    try {
      leash.getOutputStream().close();
      if (!leash.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        leash.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL cannot be stopped; it is in " + folder, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
