package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Callers who know nothing of Idempotency-Key: webhooks, callbacks of payment providers. */
class FilterKeySourceTest {
  private static final Served.Handler ECHOES =
      (request, response, run) -> {
        byte[] body = request.getInputStream().readAllBytes();
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().print("run " + run + " " + new String(body, StandardCharsets.UTF_8));
      };

  private static Served served(Container container, Route route) throws Exception {
    return Served.by(container, f -> f.route("POST /hook", route), ECHOES);
  }

  private static HttpRequest.Builder hook(Served served, String body) {
    return served
        .request("/hook")
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  private static HttpResponse<String> send(Served served, String body) throws Exception {
    return served.send(hook(served, body));
  }

  private static void isReplay(HttpResponse<String> answer, String body) {
    assertThat(answer.body()).isEqualTo(body);
    assertThat(Served.isReplay(answer)).isTrue();
  }

  private static void isRefused(HttpResponse<String> answer, int status, String problem) {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body()).contains("urn:onceward:problem:" + problem);
  }

  @OnEachServer
  void theKeyMayBeInAnotherHeader(Container container) throws Exception {
    try (Served served =
        served(container, Route.required().keyFrom(KeySource.header("Webhook-Id")))) {
      assertThat(served.send(hook(served, "{}").header("Webhook-Id", "msg_1")).body())
          .isEqualTo("run 1 {}");
      isReplay(served.send(hook(served, "{}").header("webhook-id", "msg_1")), "run 1 {}");
      HttpResponse<String> without =
          served.send(hook(served, "{}").header("Idempotency-Key", "msg_1"));
      isRefused(without, 400, "missing-key");
      assertThat(without.body()).contains("Webhook-Id");
      isRefused(
          served.send(hook(served, "{}").header("Webhook-Id", "a").header("Webhook-Id", "b")),
          400,
          "malformed-key");
    }
  }

  @OnEachServer
  void theKeyMayBeInTheBody(Container container) throws Exception {
    try (Served served =
        served(container, Route.required().keyFrom(KeySource.json("data.events[0].id")))) {
      String event = "{\"data\":{\"x\":[{\"id\":0}],\"events\":[{\"id\":\"evt_ü\"},{\"id\":7}]}}";
      assertThat(send(served, event).body()).isEqualTo("run 1 " + event);
      isReplay(send(served, event), "run 1 " + event);
      isRefused(send(served, event.replace(":7", ":8")), 422, "mismatch");
      String other = event.replace("evt_ü", "evt_2");
      assertThat(send(served, other).body()).isEqualTo("run 2 " + other);
      String number = event.replace("\"evt_ü\"", "4711");
      assertThat(send(served, number).body()).isEqualTo("run 3 " + number);
      for (String none :
          new String[] {"", "{}", "no JSON", "\"evt_ü\"", event.replace("\"evt_ü\"", "null")}) {
        isRefused(send(served, none), 400, "missing-key");
      }
      for (String bad :
          new String[] {"\"\"", "true", "[]", "{}", "1.5", "\"" + "x".repeat(256) + "\""}) {
        isRefused(send(served, event.replace("\"evt_ü\"", bad)), 400, "malformed-key");
      }
      isRefused(
          send(served, event.replace("\"id\":\"evt_ü\"", "\"id\":\"evt_ü\",\"id\":1")),
          400,
          "malformed-key");
      assertThat(served.runs).hasValue(3);
    }
  }

  @OnEachServer
  void theBodyMayBeTheKey(Container container) throws Exception {
    try (Served served = served(container, Route.required().keyFrom(KeySource.bodyHash()))) {
      assertThat(send(served, "{\"a\":1}").body()).isEqualTo("run 1 {\"a\":1}");
      isReplay(send(served, "{\"a\":1}"), "run 1 {\"a\":1}");
      assertThat(send(served, "{\"a\":2}").body()).isEqualTo("run 2 {\"a\":2}");
      isRefused(send(served, ""), 400, "missing-key");
      assertThat(served.runs).hasValue(2);
    }
  }

  @OnEachServer
  void anEmptyBodyIsNeverAnId(Container container) throws Exception {
    for (KeySource source : new KeySource[] {KeySource.bodyHash(), KeySource.json("id")}) {
      try (Served served = served(container, Route.optional().keyFrom(source))) {
        for (int run = 1; run <= 2; run++) {
          HttpResponse<String> answer = send(served, "");
          assertThat(answer.body()).isEqualTo("run " + run + " ");
          assertThat(Served.isReplay(answer)).isFalse();
        }
        var form =
            served
                .request("/hook?a=b")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.noBody());
        served.send(form);
        assertThat(Served.isReplay(served.send(form))).isFalse();
      }
    }
  }

  @OnEachServer
  void theSameBodyForAnotherPathIsAnotherRequest(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            f -> f.route("POST /orders/{id}", Route.required().keyFrom(KeySource.bodyHash())),
            ECHOES)) {
      var one = served.request("/orders/1").POST(BodyPublishers.ofString("pay"));
      var two = served.request("/orders/2").POST(BodyPublishers.ofString("pay"));
      assertThat(served.send(one).body()).isEqualTo("run 1 pay");
      assertThat(served.send(two).body()).isEqualTo("run 2 pay");
      isReplay(served.send(one), "run 1 pay");
    }
  }

  /** A body that was searched in vain for a key is still there for the application. */
  @OnEachServer
  void whatHasNoKeyPassesWithItsBody(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            f -> f.otherwise(Route.optional().keyFrom(KeySource.json("id"))),
            (request, response, run) -> {
              if (request.getRequestURI().equals("/later")) {
                AsyncContext async = request.startAsync();
                request.getInputStream().setReadListener(new Reads(async));
              } else if (request.getRequestURI().equals("/form")) {
                response.getWriter().print(request.getParameter("a"));
              } else {
                ECHOES.handle(request, response, run);
              }
            })) {
      for (String path : new String[] {"/now", "/later"}) {
        for (int copy = 0; copy < 2; copy++) {
          HttpResponse<String> answer =
              served.send(served.request(path).POST(BodyPublishers.ofString("{\"no\":\"id\"}")));
          assertThat(answer.body()).endsWith("{\"no\":\"id\"}");
          assertThat(Served.isReplay(answer)).isFalse();
        }
      }
      var form =
          served
              .request("/form")
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(BodyPublishers.ofString("a=b"));
      assertThat(served.send(form).body()).isEqualTo("b");
      assertThat(served.runs).hasValue(5);
    }
  }

  @OnEachServer
  void bodiesMayBeComparedAsJson(Container container) throws Exception {
    try (Served served =
        Served.by(
            container, f -> f.otherwise(Route.optional().bodies(BodyComparison.JSON)), ECHOES)) {
      String first = "{\"amount\":100,\"to\":{\"iban\":\"X\",\"bic\":null}}";
      String again = " {\"to\" : {\"bic\":null, \"iban\":\"\\u0058\"}, \"amount\" : 1.00e2 } ";
      assertThat(served.post("/pay", "k1", first).body()).isEqualTo("run 1 " + first);
      isReplay(served.post("/pay", "k1", again), "run 1 " + first);
      for (String other :
          new String[] {
            first.replace("100", "101"),
            first.replace(",\"bic\":null", ""),
            first.replace("null", "\"\""),
            first.replace("100", "\"100\""),
            first + "x",
            ""
          }) {
        isRefused(served.post("/pay", "k1", other), 422, "mismatch");
      }
      assertThat(served.post("/pay", "k2", "no JSON").body()).isEqualTo("run 2 no JSON");
      isReplay(served.post("/pay", "k2", "no JSON"), "run 2 no JSON");
      isRefused(served.post("/pay", "k2", "no  JSON"), 422, "mismatch");
    }
  }

  @OnEachServer
  void aHashOfJsonDoesNotDependOnItsSpelling(Container container) throws Exception {
    Route route = Route.required().keyFrom(KeySource.bodyHash()).bodies(BodyComparison.JSON);
    try (Served served = served(container, route)) {
      assertThat(send(served, "{\"a\":1,\"b\":2}").body()).startsWith("run 1 ");
      assertThat(Served.isReplay(send(served, "{\"b\":2,\"a\":1}"))).isTrue();
    }
  }

  @OnEachServer
  void aMismatchHasTheStatusOfItsRoute(Container container) throws Exception {
    try (Served served =
        Served.by(
            container, f -> f.route("POST /pay", Route.optional().mismatchStatus(409)), ECHOES)) {
      served.post("/pay", "k1", "{}");
      HttpResponse<String> refused = served.post("/pay", "k1", "[]");
      isRefused(refused, 409, "mismatch");
      assertThat(refused.body()).contains("\"status\":409");
      served.post("/other", "k1", "{}");
      isRefused(served.post("/other", "k1", "[]"), 422, "mismatch");
    }
  }

  @OnEachServer
  void keysHaveUpTo255Characters(Container container) throws Exception {
    try (Served served = Served.by(container, ECHOES)) {
      String longest = "k".repeat(254);
      assertThat(served.post("/pay", longest + "1", "{}").body()).isEqualTo("run 1 {}");
      isReplay(served.post("/pay", longest + "1", "{}"), "run 1 {}");
      assertThat(served.post("/pay", longest + "2", "{}").body()).isEqualTo("run 2 {}");
      isRefused(served.post("/pay", longest + "12", "{}"), 400, "malformed-key");
    }
  }

  private record Reads(AsyncContext async) implements ReadListener {
    @Override
    public void onDataAvailable() throws IOException {
      ServletInputStream in = async.getRequest().getInputStream();
      async.getResponse().getOutputStream().write(in.readAllBytes());
    }

    @Override
    public void onAllDataRead() {
      async.complete();
    }

    @Override
    public void onError(Throwable thrown) {
      throw new IllegalStateException(thrown);
    }
  }
}
