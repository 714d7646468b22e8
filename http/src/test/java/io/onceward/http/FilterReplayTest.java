package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What a retry is told, and which requests are retries of each other. */
class FilterReplayTest {
  private static final Served.Handler CREATES =
      (request, response, run) -> {
        response.setStatus(201);
        response.setHeader("Location", "/orders/" + run);
        response.setHeader("ETag", "\"v" + run + "\"");
        response.setHeader("X-Trace", "trace " + run);
        response.addHeader("Link", "</a>; rel=x");
        response.addHeader("Link", "</b>; rel=y");
        response.addCookie(new jakarta.servlet.http.Cookie("session", "secret"));
        response.setContentType("application/json;charset=UTF-8");
        response.getWriter().print("{\"run\":" + run + ",\"ü\":\"€\"}");
        response.flushBuffer();
      };

  @OnEachServer
  void retryGetsTheOriginalAnswerAndNot409(Container container) throws Exception {
    try (Served served = Served.by(container, CREATES)) {
      HttpResponse<String> first = served.post("/orders", "\"k1\"", "{}");
      HttpResponse<String> retry = served.post("/orders", "\"k1\"", "{}");

      assertThat(first.statusCode()).isEqualTo(201);
      assertThat(first.body()).isEqualTo("{\"run\":1,\"ü\":\"€\"}");
      assertThat(Served.isReplay(first)).isFalse();
      assertThat(retry.statusCode()).isEqualTo(201);
      assertThat(retry.body()).isEqualTo(first.body());
      assertThat(Served.isReplay(retry)).isTrue();
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void replayKeepsLocationAndOtherHeadersButNoCookies(Container container) throws Exception {
    try (Served served = Served.by(container, CREATES)) {
      HttpResponse<String> first = served.post("/orders", "k1", "{}");
      HttpResponse<String> retry = served.post("/orders", "k1", "{}");

      assertThat(first.headers().firstValue("Set-Cookie")).isPresent();
      assertThat(first.headers().firstValue("X-Trace")).isPresent();
      for (String kept : List.of("Location", "ETag", "Link", "Content-Type", "Content-Length")) {
        assertThat(retry.headers().allValues(kept))
            .as(kept)
            .isNotEmpty()
            .isEqualTo(first.headers().allValues(kept));
      }
      assertThat(retry.headers().firstValue("Set-Cookie")).isEmpty();
      assertThat(retry.headers().firstValue("X-Trace")).isEmpty();
    }
  }

  @OnEachServer
  void aHeaderOfOnesOwnIsKeptIfAskedFor(Container container) throws Exception {
    try (Served served = Served.by(container, f -> f.storeHeaders("X-Trace"), CREATES)) {
      served.post("/orders", "k1", "{}");
      assertThat(served.post("/orders", "k1", "{}").headers().firstValue("X-Trace"))
          .hasValue("trace 1");
    }
  }

  @OnEachServer
  void quotedAndBareSpellTheSameKey(Container container) throws Exception {
    try (Served served = Served.by(container, CREATES)) {
      served.post("/orders", "\"8e03978e-40d5-43e8-bc93-6894a57f9324\"", "{}");
      assertThat(
              Served.isReplay(served.post("/orders", "8e03978e-40d5-43e8-bc93-6894a57f9324", "{}")))
          .isTrue();
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void requestsWithoutAKeyAndSafeMethodsPassUntouched(Container container) throws Exception {
    try (Served served = Served.by(container, CREATES)) {
      var post = served.request("/orders").POST(BodyPublishers.ofString("{}"));
      assertThat(served.send(post).statusCode()).isEqualTo(201);
      assertThat(served.send(post).statusCode()).isEqualTo(201);
      var get = served.request("/orders").header("Idempotency-Key", "k1").GET();
      assertThat(Served.isReplay(served.send(get))).isFalse();
      assertThat(Served.isReplay(served.send(get))).isFalse();
      assertThat(served.runs).hasValue(4);
    }
  }

  @OnEachServer
  void anotherPayloadUnderTheSameKeyIsRefusedAndNotDroppedWith200(Container container)
      throws Exception {
    try (Served served = Served.by(container, CREATES)) {
      served.post("/orders", "k1", "{\"amount\":1}");
      HttpResponse<String> other = served.post("/orders", "k1", "{\"amount\":2}");

      assertThat(other.statusCode()).isEqualTo(422);
      assertThat(other.headers().firstValue("Content-Type").orElse(""))
          .startsWith("application/problem+json");
      assertThat(other.body())
          .contains("\"type\":\"urn:onceward:problem:mismatch\"")
          .contains("\"executed\":\"not-this-copy\"")
          .contains("\"mayResend\":false")
          .doesNotContain("run");
      assertThat(served.post("/orders?really=yes", "k1", "{\"amount\":1}").statusCode())
          .as("the query is part of what is asked")
          .isEqualTo(422);
      var typed =
          served
              .request("/orders")
              .header("Idempotency-Key", "k1")
              .header("Content-Type", "text/plain")
              .POST(BodyPublishers.ofString("{\"amount\":1}"));
      assertThat(served.send(typed).statusCode()).as("and so is the type").isEqualTo(422);
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void theCharsetUtf8NamedOrNotIsTheSameRequest(Container container) throws Exception {
    try (Served served = Served.by(container, CREATES)) {
      served.post("/orders", "k1", "{}");
      var named =
          served
              .request("/orders")
              .header("Idempotency-Key", "k1")
              .header("Content-Type", "Application/JSON; charset=\"UTF-8\"")
              .POST(BodyPublishers.ofString("{}"));
      assertThat(Served.isReplay(served.send(named))).isTrue();
    }
  }

  @OnEachServer
  void oneTenantNeverGetsAnothersReply(Container container) throws Exception {
    try (Served served = Served.by(container, CREATES)) {
      var alice = served.keyed("/orders", "k1", "{}").header("X-User", "alice");
      var bob = served.keyed("/orders", "k1", "{}").header("X-User", "bob");
      assertThat(served.send(alice).body()).contains("\"run\":1");
      assertThat(served.send(bob).body()).contains("\"run\":2");
      assertThat(served.send(alice).body()).contains("\"run\":1");
      assertThat(served.runs).hasValue(2);
    }
  }

  @OnEachServer
  void nobodyTakesTheShortenedNameOfAnother(Container container) throws Exception {
    List<String> principals = new CopyOnWriteArrayList<>();
    try (Served served =
        Served.by(
            container,
            f ->
                f.guard(
                    g -> g.listener((ask, ruling, nanos) -> principals.add(ask.id().principal()))),
            CREATES)) {
      String alice = "alice " + "x".repeat(200);
      served.send(served.keyed("/orders", "k1", "{}").header("X-User", alice));
      String shortened = principals.get(0);
      assertThat(shortened.length()).isLessThan(alice.length());
      HttpResponse<String> thief =
          served.send(served.keyed("/orders", "k1", "{}").header("X-User", shortened));
      assertThat(thief.body()).contains("\"run\":2");
      assertThat(Served.isReplay(thief)).isFalse();
    }
  }

  @OnEachServer
  void theSameKeyOnAnotherRouteIsAnotherRequest(Container container) throws Exception {
    String longPath = "/orders/" + "x".repeat(300);
    try (Served served = Served.by(container, CREATES)) {
      assertThat(served.post("/orders", "k1", "{}").body()).contains("\"run\":1");
      assertThat(served.post("/refunds", "k1", "{}").body()).contains("\"run\":2");
      assertThat(served.post(longPath + "1", "k1", "{}").body()).contains("\"run\":3");
      assertThat(served.post(longPath + "2", "k1", "{}").body()).contains("\"run\":4");
      assertThat(served.post(longPath + "1", "k1", "{}").body()).contains("\"run\":3");
    }
  }

  @OnEachServer
  void withinARouteAKeyBelongsToOnePath(Container container) throws Exception {
    try (Served served =
        Served.by(container, f -> f.route("POST /orders/{id}/pay", Route.optional()), CREATES)) {
      served.post("/orders/1/pay", "k1", "{}");
      assertThat(served.post("/orders/2/pay", "k1", "{}").statusCode()).isEqualTo(422);
    }
  }

  @OnEachServer
  void missingAndMalformedKeysAreToldApart(Container container) throws Exception {
    try (Served served =
        Served.by(container, f -> f.route("POST /pay", Route.required()), CREATES)) {
      var missing = served.send(served.request("/pay").POST(BodyPublishers.ofString("{}")));
      assertThat(missing.statusCode()).isEqualTo(400);
      assertThat(missing.body()).contains("urn:onceward:problem:missing-key");
      var malformed = served.post("/orders", "\"open", "{}");
      assertThat(malformed.statusCode()).isEqualTo(400);
      assertThat(malformed.body())
          .contains("urn:onceward:problem:malformed-key")
          .contains("closing quote");
      var twice = served.keyed("/orders", "a", "{}").header("Idempotency-Key", "b");
      assertThat(served.send(twice).statusCode()).isEqualTo(400);
      assertThat(served.runs).hasValue(0);
    }
  }

  @OnEachServer
  void aKeyFromTheFutureIsRefused(Container container) throws Exception {
    try (Served served = Served.by(container, CREATES)) {
      long tomorrow = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
      String key = new java.util.UUID(tomorrow << 16 | 0x7000, 0x8000000000000001L).toString();
      HttpResponse<String> refused = served.post("/orders", key, "{}");
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body())
          .contains("urn:onceward:problem:from-the-future")
          .contains("\"mayResend\":true");
      assertThat(served.runs).hasValue(0);
    }
  }

  @OnEachServer
  void concurrentDuplicatesRunOnceAndAllGetTheAnswer(Container container) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              entered.countDown();
              goOn.await(20, TimeUnit.SECONDS);
              CREATES.handle(request, response, run);
            })) {
      List<CompletableFuture<HttpResponse<String>>> copies = new ArrayList<>();
      copies.add(served.sendAsync(served.keyed("/orders", "k1", "{}")));
      entered.await(20, TimeUnit.SECONDS);
      for (int i = 0; i < 9; i++) {
        copies.add(served.sendAsync(served.keyed("/orders", "k1", "{}")));
      }
      goOn.countDown();
      int replays = 0;
      for (var copy : copies) {
        HttpResponse<String> answer = copy.get(20, TimeUnit.SECONDS);
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.body()).contains("\"run\":1");
        replays += Served.isReplay(answer) ? 1 : 0;
      }
      assertThat(served.runs).hasValue(1);
      assertThat(replays).isEqualTo(9);
    }
  }

  @OnEachServer
  void whoWaitsInVainIsToldWhenToComeBack(Container container) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (Served served =
        Served.by(
            container,
            f -> f.guard(g -> g.waitAtMost(Duration.ofMillis(50))),
            (request, response, run) -> {
              entered.countDown();
              goOn.await(20, TimeUnit.SECONDS);
            })) {
      var first = served.sendAsync(served.keyed("/orders", "k1", "{}"));
      entered.await(20, TimeUnit.SECONDS);
      HttpResponse<String> second = served.post("/orders", "k1", "{}");
      goOn.countDown();

      assertThat(second.statusCode()).isEqualTo(409);
      assertThat(second.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(second.body())
          .contains("urn:onceward:problem:in-progress")
          .contains("\"mayResend\":true");
      assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }
  }

  @OnEachServer
  void anEmptyAnswerAndARedirectAreReplayedToo(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              if (request.getRequestURI().equals("/gone")) {
                response.setStatus(204);
              } else {
                response.sendRedirect("/elsewhere/" + run);
              }
            })) {
      for (int copy = 0; copy < 2; copy++) {
        assertThat(served.post("/gone", "k1", "{}").statusCode()).isEqualTo(204);
        HttpResponse<String> redirect = served.post("/moved", "k1", "{}");
        assertThat(redirect.statusCode()).isEqualTo(302);
        assertThat(redirect.headers().firstValue("Location")).hasValue("/elsewhere/2");
      }
      assertThat(served.runs).hasValue(2);
    }
  }
}
