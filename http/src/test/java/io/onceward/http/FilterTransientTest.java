package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Key;
import io.onceward.guard.Finding;
import io.onceward.guard.Meaning;
import io.onceward.guard.UnknownOutcomeException;
import io.onceward.guard.UnknownRequest;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Statuses that hold for a moment must not be repeated for the whole retention. */
class FilterTransientTest {
  private static Served.Handler first(int status) {
    return (request, response, run) -> {
      response.setStatus(run == 1 ? status : 201);
      response.getWriter().print("run " + run);
    };
  }

  @OnEachServer
  void aRefusalThatPassesIsToldAsItIsAndARetryRuns(Container container) throws Exception {
    for (int status : new int[] {401, 421, 425, 429}) {
      try (Served served = Served.by(container, first(status))) {
        HttpResponse<String> refused = served.post("/pay", "k1", "{}");
        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(refused.body()).isEqualTo("run 1");
        HttpResponse<String> retry = served.post("/pay", "k1", "{}");
        assertThat(retry.statusCode()).isEqualTo(201);
        assertThat(retry.body()).isEqualTo("run 2");
        assertThat(served.post("/pay", "k1", "{}").body()).isEqualTo("run 2");
      }
    }
  }

  @OnEachServer
  void aTimeOutOfTheApplicationIsUnknown(Container container) throws Exception {
    try (Served served = Served.by(container, first(408))) {
      assertThat(served.post("/pay", "k1", "{}").statusCode()).isEqualTo(408);
      assertThat(served.post("/pay", "k1", "{}").body()).contains("unknown-outcome");
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aRouteMayRememberARateLimit(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            f -> f.otherwise(Route.optional().status(429, Meaning.BUSINESS_ERROR)),
            first(429))) {
      for (int copy = 0; copy < 2; copy++) {
        assertThat(served.post("/pay", "k1", "{}").statusCode()).isEqualTo(429);
      }
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void anOutboundGuardGetsThroughARateLimit(Container container) throws Exception {
    try (Served served =
            Served.by(
                container,
                (request, response, run) -> {
                  if (run == 1) {
                    response.setHeader("Retry-After", "1");
                  }
                  first(429).handle(request, response, run);
                });
        OutboundGuard out =
            OutboundGuard.inMemory(HttpClient.newHttpClient())
                .takesKeys(Duration.ofHours(1))
                .build()) {
      OutboundCall call =
          OutboundCall.of(served.request("/pay").POST(BodyPublishers.ofString("{}")).build())
              .key(Key.text("order 1"));
      assertThat(out.send(call).text()).isEqualTo("run 2");
      assertThat(served.runs).hasValue(2);
    }
  }

  /** That nobody knows is no answer to remember: an operator there may find out. */
  @OnEachServer
  void whatIsUnknownThereIsUnknownHereUntilItIsResolvedThere(Container container) throws Exception {
    try (Served served = Served.by(container, (request, response, run) -> response.setStatus(500));
        OutboundGuard out =
            OutboundGuard.inMemory(HttpClient.newHttpClient())
                .takesKeys(Duration.ofHours(1))
                .retryEvery(Duration.ofMillis(5))
                .deadline(Duration.ofMillis(1500))
                .build()) {
      OutboundCall call =
          OutboundCall.of(served.request("/pay").POST(BodyPublishers.ofString("x")).build())
              .key(Key.text("order 1"));
      assertThatThrownBy(() -> out.send(call)).isInstanceOf(UnknownOutcomeException.class);
      UnknownRequest unknown = served.filter.guard().unknowns(1).get(0);
      Finding found = new Finding.Happened(StoredResponse.of(201, "text/plain", "paid").toReply());
      assertThat(served.filter.guard().resolve(unknown.id(), unknown.fence(), found)).isTrue();
      assertThat(out.send(call).text()).isEqualTo("paid");
      assertThat(served.runs).hasValue(1);
    }
  }
}
