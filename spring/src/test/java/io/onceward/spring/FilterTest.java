package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.spring.ShopApplication.CardProvider;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Paths that the filter guards, beside methods that claim for themselves. */
class FilterTest {
  private static Running app;

  @BeforeAll
  static void start() {
    app =
        Running.onPostgres(
            ShopApplication.class,
            "onceward.http.routes[0].pattern=POST /raw",
            "onceward.http.routes[0].key-required=true",
            "onceward.http.routes[1].pattern=POST /**");
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @Test
  void aConfiguredPathIsReplayedAsItWasSent() throws Exception {
    HttpResponse<String> first = app.post("/raw", "k", "one");
    HttpResponse<String> retry = app.post("/raw", "k", "one");

    assertThat(first.statusCode()).isEqualTo(202);
    assertThat(retry.body()).isEqualTo(first.body()).isEqualTo("1 one");
    assertThat(retry.headers().firstValue("Location")).contains("/raw/1");
    assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(app.post("/raw", "k", "two").statusCode()).isEqualTo(422);
    assertThat(app.post("/raw", null, "one").statusCode()).isEqualTo(400);
  }

  @Test
  void aMethodThatClaimsForItselfIsNotClaimedByTheFilterToo() throws Exception {
    int before = app.count("onceward_request");
    app.post("/charges", "k-charge", "{\"order\":\"1\",\"cents\":5}");
    HttpResponse<String> retry = app.post("/charges", "k-charge", "{\"order\":\"1\",\"cents\":5}");

    assertThat(retry.headers().allValues("Idempotent-Replayed")).containsExactly("true");
    assertThat(app.bean(CardProvider.class).charges).hasSize(1);
    assertThat(app.count("onceward_request")).isEqualTo(before + 1);
  }

  @Test
  void anOperatorMayAnswerARequestOfTheFilter() throws Exception {
    assertThat(app.post("/broken", "k", "{}").statusCode()).isEqualTo(500);
    assertThat(app.post("/broken", "k", "{}").body()).contains("unknown-outcome");
    String queue = app.get("/actuator/onceward").body();
    String id = queue.replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");
    HttpResponse<String> note =
        app.post("/actuator/onceward/" + id, null, "{\"finding\":\"happened\",\"reply\":\"done\"}");
    assertThat(note.statusCode()).isEqualTo(400);
    assertThat(note.body()).contains("status");
    app.post(
        "/actuator/onceward/" + id,
        null,
        "{\"finding\":\"happened\",\"reply\":\"{\\\"status\\\":201,\\\"headers\\\":"
            + "{\\\"Location\\\":[\\\"/b/1\\\"]},\\\"body\\\":\\\"done\\\"}\"}");

    HttpResponse<String> settled = app.post("/broken", "k", "{}");
    assertThat(settled.statusCode()).isEqualTo(201);
    assertThat(settled.headers().firstValue("Location")).contains("/b/1");
    assertThat(settled.body()).isEqualTo("done");
  }
}
