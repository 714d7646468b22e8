package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.RequestDispatcher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;

/** Requests that come to the filter by another way than straight from the client. */
class FilterSuspendedTest {
  private static final Served.Handler TELLS_HOW =
      (request, response, run) ->
          response.getWriter().print("run " + run + " by " + request.getDispatcherType());

  /** As filters that throttle do with a request that has to wait. */
  private static final Filter SUSPENDS =
      (request, response, chain) -> {
        if (request.getAttribute("has waited") == null) {
          request.setAttribute("has waited", true);
          AsyncContext async = request.startAsync();
          async.start(async::dispatch);
        } else {
          chain.doFilter(request, response);
        }
      };

  private static Served.Setup behind(Filter filter, Served.Handler handler) {
    return new Served.Setup().between(filter).handler(handler);
  }

  @OnEachServer
  void aRequestThatWasSuspendedBeforeTakesEffectOnce(Container container) throws Exception {
    try (Served served = Served.by(container, any -> any, behind(SUSPENDS, TELLS_HOW))) {
      for (int copy = 0; copy < 3; copy++) {
        HttpResponse<String> answer = served.post("/pay", "k1", "{}");
        assertThat(answer.body()).isEqualTo("run 1 by ASYNC");
        assertThat(Served.isReplay(answer)).isEqualTo(copy > 0);
      }
      assertThat(served.post("/pay", "k1", "{\"a\":1}").statusCode()).isEqualTo(422);
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aSuspendedRequestNeedsItsKeyTooWhereOneIsRequired(Container container) throws Exception {
    try (Served served =
        Served.by(container, f -> f.otherwise(Route.required()), behind(SUSPENDS, TELLS_HOW))) {
      HttpResponse<String> answer =
          served.send(served.request("/pay").POST(BodyPublishers.ofString("{}")));
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("missing-key");
      assertThat(served.runs).hasValue(0);
    }
  }

  @OnEachServer
  void anApplicationMaySuspendTheRequestOnceMore(Container container) throws Exception {
    Served.Handler twice =
        (request, response, run) -> {
          if (run == 1) {
            AsyncContext async = request.startAsync();
            async.start(async::dispatch);
          } else {
            TELLS_HOW.handle(request, response, run);
          }
        };
    try (Served served = Served.by(container, any -> any, behind(SUSPENDS, twice))) {
      assertThat(served.post("/pay", "k1", "{}").body()).isEqualTo("run 2 by ASYNC");
      assertThat(Served.isReplay(served.post("/pay", "k1", "{}"))).isTrue();
      assertThat(served.runs).hasValue(2);
    }
  }

  /** What passed without a key is under way; the second half of it is not another request. */
  @OnEachServer
  void whatPassedWithoutAKeyIsNotAskedForOneLater(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            f -> f.route("/inside", Route.required()),
            (request, response, run) -> {
              if (request.getDispatcherType() == DispatcherType.ASYNC) {
                TELLS_HOW.handle(request, response, run);
              } else {
                AsyncContext async = request.startAsync();
                async.start(() -> async.dispatch("/inside"));
              }
            })) {
      HttpResponse<String> answer =
          served.send(served.request("/outside").POST(BodyPublishers.ofString("{}")));
      assertThat(answer.body()).isEqualTo("run 2 by ASYNC");
    }
  }

  @OnEachServer
  void aRequestThatWasForwardedBeforeTakesEffectOnce(Container container) throws Exception {
    Filter forwards =
        (request, response, chain) -> {
          if (request.getDispatcherType() == DispatcherType.REQUEST) {
            request.getRequestDispatcher("/v2/pay").forward(request, response);
          } else {
            chain.doFilter(request, response);
          }
        };
    try (Served served =
        Served.by(
            container,
            f -> f.route("POST /v2/pay", Route.required()),
            behind(forwards, TELLS_HOW))) {
      for (int copy = 0; copy < 2; copy++) {
        HttpResponse<String> answer = served.post("/v1/pay", "k1", "{}");
        assertThat(answer.body()).isEqualTo("run 1 by FORWARD");
        assertThat(Served.isReplay(answer)).isEqualTo(copy == 1);
      }
      assertThat(served.send(served.request("/v1/pay").POST(BodyPublishers.noBody())).statusCode())
          .isEqualTo(400);
      assertThat(served.runs).hasValue(1);
    }
  }

  /** What explains an error to the client may be forwarded to, as a JSP is. It asks for nothing. */
  @OnEachServer
  void anErrorPageNeedsNoKeyAndIsNotRemembered(Container container) throws Exception {
    Filter refuses =
        (request, response, chain) -> {
          if (request.getDispatcherType() == DispatcherType.REQUEST) {
            request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, 429);
            request.getRequestDispatcher("/explained").forward(request, response);
          } else {
            chain.doFilter(request, response);
          }
        };
    try (Served served =
        Served.by(container, f -> f.otherwise(Route.required()), behind(refuses, TELLS_HOW))) {
      assertThat(served.send(served.request("/pay").POST(BodyPublishers.noBody())).body())
          .isEqualTo("run 1 by FORWARD");
      assertThat(served.post("/pay", "k1", "{}").body()).isEqualTo("run 2 by FORWARD");
      assertThat(served.post("/pay", "k1", "{}").body()).isEqualTo("run 3 by FORWARD");
    }
  }

  /** A filter that lets a request pass does not speak for another one behind it. */
  @OnEachServer
  void eachFilterLooksForItself(Container container) throws Exception {
    try (IdempotencyFilter other =
            IdempotencyFilter.inMemory().otherwise(Route.unguarded()).build();
        Served served = Served.by(container, any -> any, behind(SUSPENDS, TELLS_HOW), other)) {
      assertThat(served.post("/pay", "k1", "{}").body()).isEqualTo("run 1 by ASYNC");
      assertThat(Served.isReplay(served.post("/pay", "k1", "{}"))).isTrue();
    }
  }
}
