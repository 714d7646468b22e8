package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.spring.BankApplication.Script;
import io.onceward.testpostgres.PostgresServer;
import io.onceward.testpostgres.Wire;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The connection breaks at the commit: the answer tells what became of it, and it is so once. */
class LostCommitTest {
  private static final String ORDER = "{\"account\":\"alice\",\"amount\":10.00}";
  private static final String TOO_MUCH = "{\"account\":\"bob\",\"amount\":-1}";

  private static Wire wire;
  private static Running app;
  private Script script;

  @BeforeAll
  static void start() throws Exception {
    wire = new Wire(PostgresServer.shared().port());
    PGSimpleDataSource database = wire.over(PostgresServer.shared().freshDatabase());
    // So that each commit is spelled out on the wire, and not only the first of a connection.
    database.setPrepareThreshold(0);
    app = Running.onPostgres(database, BankApplication.class, "onceward.jdbc.create-schema=true");
  }

  @AfterAll
  static void stop() throws Exception {
    app.close();
    wire.close();
  }

  @BeforeEach
  void reset() {
    script = app.bean(Script.class);
    script.runs.set(0);
    script.during = () -> {};
  }

  /** Only the business transaction's commit, not that of the sweeper or of a health check. */
  private void loseTheCommit(Wire.Fault fault) {
    script.during = () -> wire.when("COMMIT", fault);
  }

  @Test
  void aCommitThatHappenedIsNotRepeated() throws Exception {
    int before = app.count("booking");
    loseTheCommit(Wire.Fault.LOSE_THE_ANSWER);
    HttpResponse<String> answer = app.post("/payments", "k-1", ORDER);

    assertThat(wire.hasStruck()).isTrue();
    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(app.post("/payments", "k-1", ORDER).body()).isEqualTo(answer.body());
    assertThat(script.runs).hasValue(1);
    assertThat(app.count("booking")).isEqualTo(before + 1);
  }

  @Test
  void aCommitThatNeverArrivedIsRunAgain() throws Exception {
    int before = app.count("booking");
    loseTheCommitOnce(Wire.Fault.LOSE_THE_MESSAGE);
    HttpResponse<String> answer = app.post("/payments", "k-2", ORDER);

    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(script.runs).hasValue(2);
    assertThat(app.count("booking")).isEqualTo(before + 1);
  }

  private void loseTheCommitOnce(Wire.Fault fault) {
    script.during =
        () -> {
          if (script.runs.get() == 1) {
            wire.when("COMMIT", fault);
          }
        };
  }

  /** A rollback on the broken connection fails as well, and must not hide the reason. */
  @Test
  void aConnectionThatBreaksDuringTheClaimIsReplaced() throws Exception {
    wire.when("INSERT INTO onceward_request", Wire.Fault.LOSE_THE_MESSAGE);

    assertThat(app.post("/payments", "k-3", ORDER).statusCode()).isEqualTo(201);
    assertThat(script.runs).hasValue(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Wire.Fault.class,
      names = {"LOSE_THE_ANSWER", "LOSE_THE_MESSAGE"})
  void aBusinessErrorWhoseCommitIsLostStaysABusinessError(Wire.Fault fault) throws Exception {
    int before = app.count("booking");
    loseTheCommitOnce(fault);
    HttpResponse<String> answer = app.post("/payments", "k-" + fault, TOO_MUCH);
    HttpResponse<String> retry = app.post("/payments", "k-" + fault, TOO_MUCH);

    assertThat(answer.statusCode()).isEqualTo(402);
    assertThat(retry.statusCode()).isEqualTo(402);
    assertThat(script.runs).hasValue(fault == Wire.Fault.LOSE_THE_ANSWER ? 1 : 2);
    assertThat(app.count("booking")).isEqualTo(before);
  }

  @Test
  void aCommitThatStaysOpenIsToldToSendAgainAndNotToWaitForAnOperator() throws Exception {
    try (Wire slow = new Wire(PostgresServer.shared().port())) {
      PGSimpleDataSource database = slow.over(PostgresServer.shared().freshDatabase());
      database.setPrepareThreshold(0);
      try (Running bank =
          Running.onPostgres(
              database,
              BankApplication.class,
              "onceward.jdbc.create-schema=true",
              "onceward.wait-at-most=100ms")) {
        Script its = bank.bean(Script.class);
        its.during = () -> slow.when("COMMIT", Wire.Fault.DELAY_THE_MESSAGE);
        HttpResponse<String> first = bank.post("/payments", "k", ORDER);

        assertThat(first.statusCode()).isEqualTo(409);
        assertThat(first.body())
            .contains(
                "urn:onceward:problem:unknown-outcome", "\"executed\":\"unknown\"", "same key")
            .doesNotContain("operator");
        assertThat(first.headers().firstValue("Retry-After")).contains("1");

        slow.deliver();
        Eventually.until(() -> bank.count("booking") == 1);
        HttpResponse<String> retry = bank.post("/payments", "k", ORDER);
        assertThat(retry.statusCode()).isEqualTo(201);
        assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(its.runs).hasValue(1);
      }
    }
  }
}
