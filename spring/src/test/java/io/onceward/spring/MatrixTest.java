package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.onceward.jdbc.Schema;
import io.onceward.spring.MatrixApplication.Caller;
import io.onceward.spring.MatrixApplication.Declined;
import io.onceward.spring.MatrixApplication.Ledger;
import io.onceward.spring.MatrixApplication.Script;
import io.onceward.spring.MatrixCell.Expected;
import io.onceward.testpostgres.PostgresServer;
import io.onceward.testpostgres.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Every kind of transaction, at every isolation, with every end, by JPA and by JDBC, on pools with
 * autocommit and without: what the caller is told, what is stored, what the business tables have,
 * and what retries get. Boot 3 and Boot 4 each run all of it.
 */
class MatrixTest {
  /** A pool of connections and what writes to it; the cells of one share an application. */
  private record Surroundings(boolean jpa, boolean autoCommit) {
    @Override
    public String toString() {
      return (jpa ? "JPA" : "JDBC") + ", autocommit " + (autoCommit ? "on" : "off");
    }
  }

  @TestFactory
  Stream<DynamicNode> everyRequestTakesEffectOnceAndRetriesAreToldTheSame() {
    List<DynamicNode> all = new ArrayList<>();
    for (boolean jpa : new boolean[] {false, true}) {
      for (boolean autoCommit : new boolean[] {true, false}) {
        Surroundings surroundings = new Surroundings(jpa, autoCommit);
        all.add(dynamicContainer(surroundings.toString(), cells(surroundings)));
      }
    }
    return all.stream();
  }

  private static Stream<DynamicNode> cells(Surroundings surroundings) {
    Bank bank = new Bank(surroundings);
    List<DynamicNode> cells = new ArrayList<>();
    cells.add(dynamicTest("starts", bank::start));
    for (MatrixCell cell : MatrixCell.all()) {
      cells.add(dynamicTest(cell.key(), () -> bank.check(cell)));
    }
    cells.add(dynamicTest("stops", bank::stop));
    return cells.stream();
  }

  /** An application at work, its twin that is going to be killed, and their two databases. */
  private static final class Bank {
    private final Surroundings surroundings;
    private JdbcTemplate database;
    private JdbcTemplate elsewhere;
    private Wire wire;
    private Running app;
    private MatrixChild twin;

    Bank(Surroundings surroundings) {
      this.surroundings = surroundings;
    }

    void start() throws Exception {
      PGSimpleDataSource own = withEntries();
      PGSimpleDataSource other = withEntries();
      Schema.create(own);
      database = new JdbcTemplate(own);
      elsewhere = new JdbcTemplate(other);
      String[] settings = {
        "spring.datasource.hikari.auto-commit=" + surroundings.autoCommit(),
        "matrix.elsewhere=" + other.getURL(),
        // Its commits must not be taken for those of requests.
        "onceward.jdbc.sweep-every=0s"
      };
      twin = MatrixChild.start(own, surroundings.jpa(), settings);
      wire = new Wire(PostgresServer.shared().port());
      PGSimpleDataSource overTheWire = wire.over(own);
      // So that each commit is spelled out on the wire, and not only the first of a connection.
      overTheWire.setPrepareThreshold(0);
      app =
          Running.withoutWebOn(overTheWire, surroundings.jpa(), MatrixApplication.class, settings);
    }

    private static PGSimpleDataSource withEntries() {
      PGSimpleDataSource database = PostgresServer.shared().freshDatabase();
      new JdbcTemplate(database)
          .execute("CREATE TABLE entry (id bigserial PRIMARY KEY, request text, writer text)");
      return database;
    }

    void stop() throws Exception {
      crash();
      if (app != null) {
        app.close();
      }
      if (wire != null) {
        wire.close();
      }
    }

    /** Kills the twin, once, and waits until the server has noticed. */
    private void crash() throws Exception {
      if (twin == null) {
        return;
      }
      MatrixChild child = twin;
      twin = null;
      try {
        child.awaitReady();
      } finally {
        child.kill();
      }
      Eventually.until(
          () ->
              count(
                      database,
                      "pg_stat_activity",
                      "application_name = '"
                          + MatrixChild.NAME
                          + "' AND datname = current_database()")
                  == 0);
    }

    void check(MatrixCell cell) throws Exception {
      Expected expected = cell.expected(surroundings.jpa());
      Script script = app.bean(Script.class);
      int strikes = wire.strikes();
      if (cell.ending().isCrash()) {
        crash();
      } else {
        script.during = during(cell);
        assertThat(call(cell)).as("told").isEqualTo(expected.told());
      }
      assertThat(wire.strikes() - strikes)
          .as("strikes on the wire")
          .isEqualTo(cell.ending().isOfTheWire() ? 1 : 0);
      assertThat(stored(cell)).as("stored").isEqualTo(expected.stored());
      assertThat(rows(database, cell, "method")).as("rows").isEqualTo(expected.rows());
      assertThat(outerRows(cell)).as("rows of the outer").isEqualTo(expected.outer());

      if (cell.ending() != MatrixCell.Ending.BUSINESS_ERROR) {
        script.during = key -> {};
      }
      for (String copy : List.of("retry", "another retry")) {
        assertThat(call(cell)).as(copy).isEqualTo(expected.retry());
      }
      assertThat(rows(database, cell, "method"))
          .as("rows at the end")
          .isEqualTo(expected.rowsAtTheEnd());
      assertThat(script.runs.getOrDefault(cell.key(), 0)).as("runs").isEqualTo(expected.runs());
    }

    private Consumer<String> during(MatrixCell cell) {
      Ledger ledger = app.bean(Ledger.class);
      return switch (cell.ending()) {
        case BUSINESS_ERROR ->
            key -> {
              ledger.send();
              throw new Declined("no funds");
            };
        case UNMAPPED_EXCEPTION ->
            key -> {
              ledger.send();
              throw new IllegalStateException("broken");
            };
        case COMMIT_ANSWER_LOST -> firstTime(cell, Wire.Fault.LOSE_THE_ANSWER);
        case COMMIT_LOST -> firstTime(cell, Wire.Fault.LOSE_THE_MESSAGE);
        case SUCCESS, CRASH_BEFORE_COMMIT, CRASH_AFTER_COMMIT -> key -> {};
      };
    }

    private Consumer<String> firstTime(MatrixCell cell, Wire.Fault fault) {
      return key -> {
        if (app.bean(Script.class).runs.get(cell.key()) == 1) {
          wire.when("COMMIT", fault);
        }
      };
    }

    private String call(MatrixCell cell) {
      return app.bean(Caller.class).call(cell);
    }

    private String stored(MatrixCell cell) {
      List<String> stored =
          database.queryForList(
              "SELECT state || ' ' || reply_kind FROM onceward_request WHERE key_text = ?",
              String.class,
              cell.key());
      return stored.isEmpty() ? MatrixCell.NOTHING : String.join(", ", stored);
    }

    private int outerRows(MatrixCell cell) {
      return rows(database, cell, "outer") + rows(elsewhere, cell, "outer");
    }

    private static int rows(JdbcTemplate database, MatrixCell cell, String writer) {
      return count(
          database, "entry", "request = '" + cell.key() + "' AND writer = '" + writer + "'");
    }

    private static int count(JdbcTemplate database, String table, String where) {
      Integer count =
          database.queryForObject(
              "SELECT count(*) FROM " + table + " WHERE " + where, Integer.class);
      return count == null ? 0 : count;
    }
  }
}
