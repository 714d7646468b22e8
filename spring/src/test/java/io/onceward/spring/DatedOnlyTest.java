package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.DatedIds;
import io.onceward.Scope;
import io.onceward.guard.Fitting;
import io.onceward.guard.RefusedByGuardException;
import io.onceward.spring.BankApplication.Branch;
import io.onceward.spring.BankApplication.Order;
import io.onceward.spring.BankApplication.Script;
import io.onceward.spring.BankApplication.Teller;
import io.onceward.spring.ShopApplication.CardProvider;
import io.onceward.testpostgres.PostgresServer;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Requests that a setting names need keys with a date, wherever they are remembered (K5). */
class DatedOnlyTest {
  private static final String PAYMENT = "{\"account\":\"alice\",\"amount\":10.00}";
  private static final String CHARGE = "{\"order\":\"1\",\"cents\":5}";
  private static final String ROUTE = "onceward.http.routes[0].pattern=POST /raw";

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({BankApplication.class, ShopApplication.class})
  static class Application {}

  private static final DatedIds IDS = new DatedIds();
  private static PGSimpleDataSource database;
  private static Running app;

  @BeforeAll
  static void start() throws Exception {
    database = PostgresServer.shared().freshDatabase();
    String create = "onceward.jdbc.create-schema=true";
    try (Running before = Running.onPostgres(database, Application.class, create, ROUTE)) {
      assertThat(before.post("/payments", "of-before", PAYMENT).statusCode()).isEqualTo(201);
      assertThat(before.post("/charges", "of-before", CHARGE).statusCode()).isEqualTo(201);
      assertThat(before.post("/raw", "of-before", "x").statusCode()).isEqualTo(202);
    }
    app =
        Running.onPostgres(
            database,
            Application.class,
            ROUTE,
            "onceward.dated-only=Payments.pay, charge, POST /raw, transfer / a");
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @BeforeEach
  void forget() {
    app.bean(Script.class).runs.set(0);
    app.bean(CardProvider.class).charges.clear();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"/payments, 201", "/charges, 201", "/raw, 202"})
  void namedOperationsAndRoutesRefuseNewUndatedKeys(String path, int done) throws Exception {
    String body = path.equals("/payments") ? PAYMENT : CHARGE;
    for (int copy = 0; copy < 2; copy++) {
      HttpResponse<String> refused = app.post(path, "no-date", body);
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body())
          .contains("urn:onceward:problem:undated", "\"executed\":\"not-this-copy\"");
    }
    assertThat(app.bean(Script.class).runs).hasValue(0);
    assertThat(app.bean(CardProvider.class).charges).isEmpty();

    String dated = IDS.next().toString();
    HttpResponse<String> first = app.post(path, dated, body);
    HttpResponse<String> retry = app.post(path, dated, body);
    assertThat(first.statusCode()).isEqualTo(done);
    assertThat(retry.body()).isEqualTo(first.body());
    assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"/payments, 201", "/charges, 201", "/raw, 202"})
  void whatWasDecidedBeforeIsStillReplayed(String path, int done) throws Exception {
    String body =
        switch (path) {
          case "/payments" -> PAYMENT;
          case "/charges" -> CHARGE;
          default -> "x";
        };
    HttpResponse<String> retry = app.post(path, "of-before", body);
    assertThat(retry.statusCode()).isEqualTo(done);
    assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
  }

  @Test
  void aNamedScopeOfAnOperationIsRefusedAndItsOthersAreNot() {
    Branch branch = app.bean(Branch.class);
    Order order = new Order("x", BigDecimal.TEN);

    assertThatThrownBy(() -> branch.transfer("no-date", "a", order))
        .isInstanceOf(RefusedByGuardException.class)
        .hasMessageContaining("UNDATED");
    assertThatThrownBy(() -> app.bean(Teller.class).serve("no-date", order, false))
        .isInstanceOf(RefusedByGuardException.class)
        .hasMessageContaining("UNDATED");
    assertThat(app.bean(Script.class).runs).hasValue(0);

    assertThat(branch.transfer("no-date", "b", order))
        .isEqualTo(branch.transfer("no-date", "b", order));
    assertThat(app.bean(Script.class).runs).hasValue(1);
  }

  @Test
  void operationsThatAreNotNamedTakeAnyKey() throws Exception {
    assertThat(app.post("/any", "no-date", "{}").statusCode()).isEqualTo(202);
    assertThat(app.post("/notices", "no-date", CHARGE).statusCode()).isEqualTo(200);
  }

  @Test
  void aStarNamesAllAlsoInMemory() throws Exception {
    try (Running shop =
        Running.withoutDatabase(ShopApplication.class, ROUTE, "onceward.dated-only=*")) {
      assertThat(shop.post("/charges", "no-date", CHARGE).statusCode()).isEqualTo(400);
      assertThat(shop.post("/raw", "no-date", "x").statusCode()).isEqualTo(400);
      assertThat(shop.post("/charges", IDS.next().toString(), CHARGE).statusCode()).isEqualTo(201);
    }
  }

  @Test
  void aNameOfNothingIsFound() {
    OncewardProperties properties = app.bean(OncewardProperties.class);
    OnceMethods methods = app.bean(OnceMethods.class);

    assertThat(DatedOnly.of(properties).unknown(methods, properties)).isEmpty();
    DatedOnly slips = new DatedOnly(List.of("Payment.pay", "charge / x", "POST /rwa", "*"));
    assertThat(slips.unknown(methods, properties)).containsExactly("Payment.pay", "POST /rwa");
  }

  @Test
  void aScopeThatWasShortenedBelongsToItsOperation() {
    DatedOnly named = new DatedOnly(List.of("pay"));
    String tenant = "t".repeat(200);

    assertThat(named).accepts(new Scope("pay"), new Scope(Fitting.fit("pay / " + tenant, 128)));
    assertThat(named).rejects(new Scope("payout"), new Scope(Fitting.fit("x / " + tenant, 128)));
    String longName = "p".repeat(120);
    assertThat(new DatedOnly(List.of(longName)))
        .accepts(new Scope(Fitting.fit(longName + " / " + tenant, 128)));
  }

  @Test
  void aSettingThatWouldRefuseEveryRequestStopsTheApplication() {
    assertThatThrownBy(
            () ->
                Running.withoutDatabase(
                        ShopApplication.class,
                        ROUTE,
                        "onceward.http.routes[0].key-body-hash=true",
                        "onceward.dated-only=POST /raw")
                    .close())
        .hasStackTraceContaining("a hash of the body (key-body-hash) has no date");
    assertThatThrownBy(
            () ->
                Running.withoutDatabase(ShopApplication.class, "onceward.dated-only[0]= ").close())
        .hasStackTraceContaining("onceward.dated-only");
  }
}
