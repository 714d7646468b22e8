package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.spring.BankApplication.Script;
import io.onceward.testpostgres.PostgresServer;
import io.onceward.testpostgres.Wire;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Without the memory of past requests nothing is run: nobody could tell whether it is new. */
class DatabaseAwayTest {
  private static final String ORDER = "{\"account\":\"alice\",\"amount\":10.00}";

  private static final String[] IMPATIENT = {
    "onceward.jdbc.create-schema=true",
    "onceward.wait-at-most=1s",
    "spring.datasource.hikari.connection-timeout=1000",
    "spring.datasource.hikari.validation-timeout=500"
  };

  @Test
  void inTheMiddleNothingIsRunAndTheSameKeyRunsItLater() throws Exception {
    try (Wire wire = new Wire(PostgresServer.shared().port())) {
      PGSimpleDataSource database = wire.over(PostgresServer.shared().freshDatabase());
      try (Running app = Running.onPostgres(database, BankApplication.class, IMPATIENT)) {
        Script script = app.bean(Script.class);
        assertThat(app.post("/payments", "k-1", ORDER).statusCode()).isEqualTo(201);

        wire.cut();
        HttpResponse<String> replay = app.post("/payments", "k-1", ORDER);
        HttpResponse<String> fresh = app.post("/payments", "k-2", ORDER);
        for (HttpResponse<String> refused : List.of(replay, fresh)) {
          assertThat(refused.statusCode()).isEqualTo(503);
          assertThat(refused.headers().firstValue("Content-Type"))
              .contains("application/problem+json");
          assertThat(refused.headers().firstValue("Retry-After")).isPresent();
          assertThat(refused.body())
              .contains(
                  "urn:onceward:problem:store-unavailable",
                  "\"executed\":\"not-this-copy\"",
                  "\"mayResend\":true");
        }
        assertThat(script.runs).hasValue(1);

        wire.mend();
        HttpResponse<String> settled = resend(app, "k-1");
        assertThat(settled.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(resend(app, "k-2").statusCode()).isEqualTo(201);
        assertThat(app.count("booking")).isEqualTo(2);
      }
    }
  }

  /**
   * As a client does that is told 503 with {@code Retry-After}: the pool may take a moment to
   * notice that its database is back. Each attempt waits for a connection.
   */
  private static HttpResponse<String> resend(Running app, String key) throws Exception {
    HttpResponse<String> answer = app.post("/payments", key, ORDER);
    for (int copies = 1; copies < 100 && answer.statusCode() == 503; copies++) {
      answer = app.post("/payments", key, ORDER);
    }
    return answer;
  }

  @Test
  void inTheMiddleNothingIsRunOutsideEither() throws Exception {
    try (Wire wire = new Wire(PostgresServer.shared().port())) {
      PGSimpleDataSource database = wire.over(PostgresServer.shared().freshDatabase());
      try (Running app = Running.onPostgres(database, ShopApplication.class, IMPATIENT)) {
        wire.cut();
        HttpResponse<String> refused = app.post("/charges", "k", "{\"order\":\"1\",\"cents\":5}");

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("urn:onceward:problem:store-unavailable");
        assertThat(app.bean(ShopApplication.CardProvider.class).charges).isEmpty();
      }
    }
  }

  @Test
  void withoutAFreeConnectionNothingIsRunEither() throws Exception {
    try (Running app =
            Running.onPostgres(
                BankApplication.class,
                "spring.datasource.hikari.maximum-pool-size=1",
                "spring.datasource.hikari.connection-timeout=250");
        Connection taken = app.bean(DataSource.class).getConnection()) {
      HttpResponse<String> refused = app.post("/payments", "k", ORDER);

      assertThat(taken.isValid(1)).isTrue();
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("urn:onceward:problem:store-unavailable");
      assertThat(app.bean(Script.class).runs).hasValue(0);
    }
  }

  @Test
  void atTheStartTheApplicationDoesNotFallBackToMemory() throws Exception {
    try (Wire wire = new Wire(PostgresServer.shared().port())) {
      PGSimpleDataSource database = wire.over(PostgresServer.shared().freshDatabase());
      wire.cut();
      assertThatThrownBy(
              () -> Running.onPostgres(database, ShopApplication.class, IMPATIENT).close())
          .hasStackTraceContaining("Onceward's tables could not be made")
          .hasStackTraceContaining("The connection attempt failed");
    }
  }
}
