package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.testpostgres.PostgresServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What operators see: metrics, health, the promises. */
class ActuatorTest {
  private static final String ORDER = "{\"account\":\"alice\",\"amount\":10}";

  @Test
  void requestsAreCountedByOperationAndOutcomeAndNeverByKey() throws Exception {
    try (Running app = Running.onPostgres(BankApplication.class)) {
      app.post("/payments", "secret-key", ORDER);
      app.post("/payments", "secret-key", ORDER);
      app.post("/payments", "secret-key", ORDER.replace("10", "11"));

      assertThat(count(app, "operation:Payments.pay&tag=outcome:ok&tag=replay:false"))
          .contains("1.0");
      assertThat(count(app, "operation:Payments.pay&tag=outcome:ok&tag=replay:true"))
          .contains("1.0");
      assertThat(count(app, "operation:Payments.pay&tag=outcome:mismatch")).contains("1.0");
      assertThat(app.get("/actuator/metrics/onceward.requests").body()).doesNotContain("secret");
      assertThat(app.get("/actuator/onceward").body())
          .contains("\"POST /payments (Payments.pay)\":\"exactly-once (transaction)\"");
    }
  }

  @Test
  void eachEndpointIsLabelledWithTheGuaranteeThatHolds() throws Exception {
    try (Running app = Running.onPostgres(ShopApplication.class)) {
      assertThat(app.get("/actuator/onceward").body())
          .contains(
              "\"POST /charges (charge)\":\"at-most-once with UNKNOWN (guard on jdbc)\"",
              "\"Cards.number\":\"exactly-once (transaction)\"");
    }
  }

  private static String count(Running app, String tags) throws Exception {
    String body = app.get("/actuator/metrics/onceward.requests?tag=" + tags).body();
    return body.substring(0, body.indexOf("TOTAL_TIME"));
  }

  @Test
  void aStoreThatIsAwayIsNoMatterOfLiveness() throws Exception {
    // Closed in the middle of the test; if it does not come that far, it ends with the JVM.
    PostgresServer server = PostgresServer.start(Map.of("fsync", "off"));
    PGSimpleDataSource database = server.freshDatabase();
    try (Running app =
        Running.onPostgres(
            database,
            ShopApplication.class,
            "onceward.jdbc.create-schema=true",
            "spring.datasource.hikari.connection-timeout=500",
            "management.health.db.enabled=false")) {
      assertThat(app.get("/actuator/health/onceward").body())
          .contains("\"status\":\"UP\"", "\"unknown\":0");
      app.bean(ShopApplication.CardProvider.class).failure =
          () -> new IllegalStateException("lost");
      app.post("/charges", "k", "{\"order\":\"1\",\"cents\":5}");
      assertThat(app.get("/actuator/health/onceward").body())
          .contains("\"status\":\"UP\"", "\"unknown\":1");
      assertThat(app.get("/actuator/onceward").body())
          .contains("\"why\":\"java.lang.IllegalStateException: lost\"");

      server.close();

      assertThat(app.get("/actuator/health").statusCode()).isEqualTo(503);
      assertThat(app.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
      assertThat(app.post("/charges", "k2", "{\"order\":\"2\",\"cents\":5}").statusCode())
          .isEqualTo(503);
      assertThat(app.bean(ShopApplication.CardProvider.class).charges).hasSize(1);
    }
  }
}
