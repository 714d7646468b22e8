package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.guard.Meaning;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Filters in front that look at an answer, and send the request through the chain once more. */
class FilterSentAgainTest {
  private static final Served.Handler TELLS_RUN =
      (request, response, run) -> response.getWriter().print("run " + run);

  /** What a filter in front does when it does not like an answer. */
  private interface Remedy {
    void apply(ServletRequest request, ServletResponse response) throws Exception;
  }

  private static Filter onError(Remedy remedy) {
    return (request, response, chain) -> {
      if (request.getDispatcherType() != DispatcherType.REQUEST) {
        chain.doFilter(request, response);
        return;
      }
      Buffered first = new Buffered((HttpServletResponse) response);
      chain.doFilter(request, first);
      if (first.getStatus() < 400) {
        response.getOutputStream().write(first.body.toByteArray());
        return;
      }
      response.reset();
      try {
        remedy.apply(request, response);
      } catch (Exception e) {
        throw new jakarta.servlet.ServletException(e);
      }
    };
  }

  /** Keeps a body, so that another answer may still be given. */
  private static final class Buffered extends HttpServletResponseWrapper {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    Buffered(HttpServletResponse response) {
      super(response);
    }

    @Override
    public void setContentLength(int length) {}

    @Override
    public ServletOutputStream getOutputStream() {
      return new ServletOutputStream() {
        @Override
        public void write(int b) {
          body.write(b);
        }

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
          throw new IllegalStateException("not needed");
        }
      };
    }
  }

  private static void again(ServletRequest request) {
    AsyncContext async = request.startAsync();
    async.start(async::dispatch);
  }

  private static Served.Setup behind(Filter filter, Served.Handler handler) {
    return new Served.Setup().between(filter).handler(handler);
  }

  @OnEachServer
  void aCopySentAgainDoesNotRunBesideTheFirst(Container container) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Served.Handler waits =
        (request, response, run) -> {
          entered.countDown();
          if (run == 1) {
            assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
          }
          TELLS_RUN.handle(request, response, run);
        };
    try (Served served =
        Served.by(
            container,
            f -> f.guard(g -> g.waitAtMost(Duration.ZERO)),
            behind(onError((request, response) -> again(request)), waits))) {
      var first = served.sendAsync(served.keyed("/pay", "k1", "{}"));
      assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
      HttpResponse<String> copy = served.post("/pay", "k1", "{}");
      assertThat(copy.statusCode()).as(copy.body()).isEqualTo(409);
      assertThat(copy.body()).contains("in-progress");
      assertThat(served.runs).hasValue(1);
      goOn.countDown();
      assertThat(first.get(20, TimeUnit.SECONDS).body()).isEqualTo("run 1");
      assertThat(served.post("/pay", "k1", "{}").body()).isEqualTo("run 1");
      assertThat(served.runs).hasValue(1);
    } finally {
      goOn.countDown();
    }
  }

  @OnEachServer
  void whatWasRefusedIsGuardedWhenItIsSentAgain(Container container) throws Exception {
    FaultyStore store = new FaultyStore();
    store.claimsFail = true;
    Remedy heals =
        (request, response) -> {
          store.claimsFail = false;
          again(request);
        };
    try (IdempotencyFilter filter = IdempotencyFilter.on(store).build();
        Served served = Served.with(container, filter, behind(onError(heals), TELLS_RUN))) {
      for (int copy = 0; copy < 2; copy++) {
        HttpResponse<String> answer = served.post("/pay", "k1", "{\"a\":1}");
        assertThat(answer.body()).isEqualTo("run 1");
        assertThat(Served.isReplay(answer)).isEqualTo(copy == 1);
      }
      assertThat(served.post("/pay", "k1", "{\"a\":2}").statusCode()).isEqualTo(422);
      assertThat(served.runs).hasValue(1);
    } finally {
      store.close();
    }
  }

  @OnEachServer
  void aReplaySentAgainIsAReplay(Container container) throws Exception {
    Filter always =
        (request, response, chain) -> {
          if (request.getDispatcherType() != DispatcherType.REQUEST) {
            chain.doFilter(request, response);
            return;
          }
          chain.doFilter(request, new Buffered((HttpServletResponse) response));
          response.reset();
          again(request);
        };
    try (Served served = Served.by(container, any -> any, behind(always, TELLS_RUN))) {
      for (int copy = 0; copy < 2; copy++) {
        HttpResponse<String> answer = served.post("/pay", "k1", "{}");
        assertThat(answer.body()).isEqualTo("run 1");
        assertThat(Served.isReplay(answer)).isTrue();
      }
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aForwardElsewhereAfterAnAnswerIsGuarded(Container container) throws Exception {
    Remedy forwards =
        (request, response) -> request.getRequestDispatcher("/v2").forward(request, response);
    Served.Handler failsAtFirst =
        (request, response, run) -> {
          if (request.getDispatcherType() == DispatcherType.FORWARD) {
            TELLS_RUN.handle(request, response, run);
          } else {
            response.setStatus(503);
          }
        };
    try (Served served =
        Served.by(
            container,
            f -> f.otherwise(Route.optional().serverErrors(Meaning.DID_NOT_HAPPEN)),
            behind(onError(forwards), failsAtFirst))) {
      for (int copy = 0; copy < 2; copy++) {
        HttpResponse<String> answer = served.post("/v1", "k1", "{}");
        assertThat(answer.body()).isEqualTo("run 2");
        assertThat(Served.isReplay(answer)).isEqualTo(copy == 1);
      }
      assertThat(served.runs).as("twice at /v1, once at /v2").hasValue(3);
    }
  }

  @OnEachServer
  void whatIsSentToAnUnguardedPathStillHasItsBody(Container container) throws Exception {
    Remedy forwards =
        (request, response) -> request.getRequestDispatcher("/later").forward(request, response);
    Served.Handler notesForLater =
        (request, response, run) -> {
          if (request.getDispatcherType() == DispatcherType.FORWARD) {
            response.getOutputStream().write(request.getInputStream().readAllBytes());
          } else {
            response.setStatus(503);
          }
        };
    try (Served served =
        Served.by(
            container,
            f -> f.route("/later", Route.unguarded()),
            behind(onError(forwards), notesForLater))) {
      assertThat(served.post("/pay", "k1", "{\"a\":1}").body()).isEqualTo("{\"a\":1}");
    }
  }

  /** The page of our own that explained the first answer is over when the request comes again. */
  @OnEachServer
  void whatWasExplainedByAPageIsGuardedWhenItIsSentAgain(Container container) throws Exception {
    Served.Handler failsAtFirst =
        (request, response, run) -> {
          if (run == 1) {
            response.sendError(503);
          } else {
            TELLS_RUN.handle(request, response, run);
          }
        };
    try (Served served =
        Served.by(
            container,
            f ->
                f.errorPage("/error")
                    .otherwise(Route.optional().serverErrors(Meaning.DID_NOT_HAPPEN)),
            behind(onError((request, response) -> again(request)), failsAtFirst)
                .errorPage((request, response, run) -> response.getWriter().print("not today")))) {
      for (int copy = 0; copy < 2; copy++) {
        HttpResponse<String> answer = served.post("/pay", "k1", "{}");
        assertThat(answer.body()).isEqualTo("run 2");
        assertThat(Served.isReplay(answer)).isEqualTo(copy == 1);
      }
      assertThat(served.runs).hasValue(2);
    }
  }

  /** Tomcat's chain goes on behind all filters then; no filter can be asked. */
  @Test
  void aChainThatIsCalledTwiceRunsOnce() throws Exception {
    Filter twice =
        (request, response, chain) -> {
          chain.doFilter(request, new Buffered((HttpServletResponse) response));
          response.reset();
          chain.doFilter(request, response);
        };
    try (Served served = Served.by(Container.JETTY, any -> any, behind(twice, TELLS_RUN))) {
      HttpResponse<String> answer = served.post("/pay", "k1", "{}");
      assertThat(answer.body()).isEqualTo("run 1");
      assertThat(served.runs).hasValue(1);
    }
  }

  /** Something in front may wake the application up, but not speak to its client in its place. */
  @OnEachServer
  void anApplicationThatIsDispatchedFromOutsideIsStillRecorded(Container container)
      throws Exception {
    Filter dispatches =
        (request, response, chain) -> {
          chain.doFilter(request, response);
          if (request.isAsyncStarted()) {
            request.getAsyncContext().dispatch();
          }
        };
    Served.Handler waits =
        (request, response, run) -> {
          if (run == 1) {
            request.startAsync(request, response);
          } else {
            TELLS_RUN.handle(request, response, run);
          }
        };
    try (Served served = Served.by(container, any -> any, behind(dispatches, waits))) {
      for (int copy = 0; copy < 2; copy++) {
        HttpResponse<String> answer = served.post("/pay", "k1", "{}");
        assertThat(answer.body()).isEqualTo("run 2");
        assertThat(Served.isReplay(answer)).isEqualTo(copy == 1);
      }
      assertThat(served.runs).hasValue(2);
    }
  }
}
