package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.onceward.guard.StoreAwayException;
import io.onceward.spring.JpaApplication.Shop;
import io.onceward.testpostgres.PostgresServer;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A failover: the pool leads to a server that is not promoted yet. It is away for a while (503),
 * and nothing is set up wrongly (500).
 */
class ReadOnlyServerTest {
  private static final String ORDER = "{\"account\":\"alice\",\"amount\":10.00}";

  private final PGSimpleDataSource database = PostgresServer.shared().freshDatabase();

  private void takesWrites(Running app, boolean does) {
    new JdbcTemplate(PostgresServer.shared().freshDatabase())
        .execute(
            "ALTER DATABASE "
                + database.getDatabaseName()
                + " SET default_transaction_read_only = "
                + !does);
    app.bean(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
  }

  @Test
  void webRequestIsToldToComeBack() throws Exception {
    try (Running app =
        Running.onPostgres(
            database,
            BankApplication.class,
            "onceward.jdbc.create-schema=true",
            "onceward.jdbc.attempts=2")) {
      takesWrites(app, false);
      HttpResponse<String> refused = app.post("/payments", "k", ORDER);
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("urn:onceward:problem:store-unavailable");
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");

      takesWrites(app, true);
      assertThat(app.post("/payments", "k", ORDER).statusCode()).isEqualTo(201);
      assertThat(app.bean(BankApplication.Script.class).runs).hasValue(1);
    }
  }

  @Test
  void effectOutsideIsNotRun() throws Exception {
    try (Running app =
        Running.onPostgres(database, ShopApplication.class, "onceward.jdbc.create-schema=true")) {
      takesWrites(app, false);
      String order = "{\"order\":\"1\",\"cents\":5}";
      assertThat(app.post("/charges", "k", order).statusCode()).isEqualTo(503);
      assertThat(app.bean(ShopApplication.CardProvider.class).charges).isEmpty();

      takesWrites(app, true);
      assertThat(app.post("/charges", "k", order).statusCode()).isEqualTo(201);
    }
  }

  @Test
  void persistenceContextIsToldToo() {
    try (Running app = Running.onJpa(database, JpaApplication.class)) {
      Shop shop = app.bean(Shop.class);
      takesWrites(app, false);
      assertThatThrownBy(() -> shop.buy("k", "tea")).isInstanceOf(StoreAwayException.class);

      takesWrites(app, true);
      assertThat(shop.buy("k", "tea")).isEqualTo("tea of run 1");
    }
  }
}
