package io.onceward.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** What the configured routes can say of their requests. */
class RouteSettingsTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Hooks.class)
  static class Application {}

  @RestController
  static class Hooks {
    private final AtomicInteger runs = new AtomicInteger();
    private final CountDownLatch seen = new CountDownLatch(1);
    private volatile boolean seenInTime;

    @PostMapping("/hooks/{name}")
    ResponseEntity<String> hook(
        @PathVariable("name") String name,
        @RequestHeader(value = "Answer", defaultValue = "200") int status,
        @RequestBody(required = false) String body) {
      return ResponseEntity.status(status)
          .header("X-Trace", "t-" + name)
          .body("run " + runs.incrementAndGet());
    }

    @PostMapping("/news")
    void news(HttpServletResponse response) throws IOException, InterruptedException {
      response.getWriter().print("first ");
      response.flushBuffer();
      seenInTime = seen.await(10, TimeUnit.SECONDS);
      response.getWriter().print("last");
    }
  }

  private static Running app;

  @BeforeAll
  static void start() {
    app =
        Running.withoutDatabase(
            Application.class,
            "onceward.retry-unknown-for=1h",
            "onceward.http.store-headers=X-Trace",
            "onceward.http.routes[0].pattern=POST /hooks/bank",
            "onceward.http.routes[0].key-required=true",
            "onceward.http.routes[0].key-header=Webhook-Id",
            "onceward.http.routes[1].pattern=POST /hooks/shop",
            "onceward.http.routes[1].key-json=data.id",
            "onceward.http.routes[1].bodies=json",
            "onceward.http.routes[1].mismatch-status=409",
            "onceward.http.routes[2].pattern=POST /hooks/mail",
            "onceward.http.routes[2].key-body-hash=true",
            "onceward.http.routes[3].pattern=POST /hooks/own",
            "onceward.http.routes[3].statuses.404=did-not-happen",
            "onceward.http.routes[3].statuses.503=business-error",
            "onceward.http.routes[3].max-request-size=16B",
            "onceward.http.routes[3].max-parameters=2",
            "onceward.http.routes[4].pattern=POST /news",
            "onceward.http.routes[4].handed-out-as-written=true");
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  private static HttpResponse<byte[]> send(String path, String key, String body, String... headers)
      throws Exception {
    return app.exchange(path, key, body, headers);
  }

  private static void assertReplayed(HttpResponse<byte[]> retry, HttpResponse<byte[]> first) {
    assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(retry.statusCode()).isEqualTo(first.statusCode());
    assertThat(retry.body()).isEqualTo(first.body());
  }

  @Test
  void keyMayBeInAnotherHeader() throws Exception {
    HttpResponse<byte[]> first = send("/hooks/bank", null, "{}", "Webhook-Id", "w-1");
    HttpResponse<byte[]> retry = send("/hooks/bank", null, "{}", "Webhook-Id", "w-1");
    assertReplayed(retry, first);
    assertThat(retry.headers().firstValue("X-Trace")).contains("t-bank");
    assertThat(send("/hooks/bank", "k", "{}").statusCode()).isEqualTo(400);
  }

  @Test
  void keyMayBeInTheBodyWhichIsComparedAsJson() throws Exception {
    HttpResponse<byte[]> first = send("/hooks/shop", null, "{\"data\":{\"id\":\"1\"},\"n\":1.0}");
    assertReplayed(send("/hooks/shop", null, "{\"n\":1, \"data\":{\"id\":\"1\"}}"), first);
    assertThat(send("/hooks/shop", null, "{\"n\":2,\"data\":{\"id\":\"1\"}}").statusCode())
        .isEqualTo(409);
  }

  @Test
  void bodyMayBeTheKey() throws Exception {
    HttpResponse<byte[]> first = send("/hooks/mail", null, "{\"to\":\"alice\"}");
    assertReplayed(send("/hooks/mail", null, "{\"to\":\"alice\"}"), first);
    assertThat(send("/hooks/mail", null, "{\"to\":\"bob\"}").body()).isNotEqualTo(first.body());
  }

  /** Nobody behind the filter hands the outside a key by which it would notice the second run. */
  @Test
  void anUnknownRequestOfARouteIsNotRunAgain() throws Exception {
    assertThat(send("/hooks/own", "k-500", "{}", "Answer", "500").statusCode()).isEqualTo(500);
    HttpResponse<byte[]> retry = send("/hooks/own", "k-500", "{}", "Answer", "500");
    assertThat(retry.statusCode()).isEqualTo(409);
    assertThat(new String(retry.body(), UTF_8)).contains("unknown-outcome");
  }

  @Test
  void statusesMeanWhatTheRouteSays() throws Exception {
    HttpResponse<byte[]> gone = send("/hooks/own", "k-404", "{}", "Answer", "404");
    HttpResponse<byte[]> again = send("/hooks/own", "k-404", "{}", "Answer", "404");
    assertThat(again.body()).isNotEqualTo(gone.body());

    HttpResponse<byte[]> down = send("/hooks/own", "k-503", "{}", "Answer", "503");
    assertThat(down.statusCode()).isEqualTo(503);
    assertReplayed(send("/hooks/own", "k-503", "{}", "Answer", "503"), down);
  }

  @Test
  void largerRequestsAreRefused() throws Exception {
    assertThat(send("/hooks/own", "k-large", "{\"a\":\"0123456789\"}").statusCode()).isEqualTo(413);
  }

  @Test
  void formsOfTooManyParametersAreRefused() throws Exception {
    String port = app.bean(Environment.class).getProperty("local.server.port");
    for (String form : new String[] {"a=1&b=2", "a=1&b=2&c"}) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/hooks/own"))
              .header("Idempotency-Key", "f" + form.length())
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(HttpRequest.BodyPublishers.ofString(form))
              .build();
      assertThat(
              HttpClient.newHttpClient()
                  .send(request, HttpResponse.BodyHandlers.discarding())
                  .statusCode())
          .isEqualTo(form.length() == 7 ? 200 : 413);
    }
  }

  @Test
  void responseIsHandedOutAsWritten() throws Exception {
    Hooks hooks = app.bean(Hooks.class);
    String port = app.bean(Environment.class).getProperty("local.server.port");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/news"))
            .header("Idempotency-Key", "k")
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    HttpResponse<InputStream> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream());
    hooks.seen.countDown();
    assertThat(new String(answer.body().readAllBytes(), UTF_8)).isEqualTo("first last");
    assertThat(hooks.seenInTime).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "routes[0].mismatch-status=200, error of the client",
    "routes[0].key-json=a..b, a..b",
    "routes[0].max-request-size=0B, max-request-size",
    "routes[0].max-parameters=0, max-parameters",
    "routes[0].key-body-hash=true;routes[0].key-header=X-Id, one place",
    "store-headers=Set-Cookie, Set-Cookie"
  })
  void whatCannotHoldStopsTheApplication(String settings, String reason) {
    String[] all = ("routes[0].pattern=POST /hooks/x;" + settings).split(";", -1);
    for (int i = 0; i < all.length; i++) {
      all[i] = "onceward.http." + all[i];
    }
    assertThatThrownBy(() -> Running.withoutDatabase(Application.class, all).close())
        .hasStackTraceContaining(reason);
  }
}
