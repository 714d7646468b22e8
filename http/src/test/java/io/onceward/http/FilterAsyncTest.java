package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;

/** Applications that answer later, from other threads. */
class FilterAsyncTest {
  private static final Executor ELSEWHERE = ForkJoinPool.commonPool();

  private static void twice(Served served, int status, String body) throws Exception {
    for (int copy = 0; copy < 2; copy++) {
      HttpResponse<String> answer = served.post("/later", "k1", "{\"a\":1}");
      assertThat(answer.statusCode()).isEqualTo(status);
      assertThat(answer.body()).isEqualTo(body);
      assertThat(Served.isReplay(answer)).isEqualTo(copy == 1);
    }
  }

  @OnEachServer
  void anAnswerCompletedFromAnotherThreadIsRemembered(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              AsyncContext async = request.startAsync();
              ELSEWHERE.execute(() -> answer(async, 201, "run " + run));
            })) {
      twice(served, 201, "run 1");
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void anAnswerCompletedBeforeTheHandlerReturnsIsRemembered(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              AsyncContext async = request.startAsync(request, response);
              answer(async, 201, "run " + run);
            })) {
      twice(served, 201, "run 1");
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void anAnswerOfADispatchIsRemembered(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              if (request.getDispatcherType() == DispatcherType.ASYNC) {
                response.setStatus(201);
                response.getWriter().print("dispatched " + request.getAttribute("result"));
              } else {
                AsyncContext async = request.startAsync();
                ELSEWHERE.execute(
                    () -> {
                      request.setAttribute("result", run);
                      async.dispatch();
                    });
              }
            })) {
      twice(served, 201, "dispatched 1");
      assertThat(served.runs).as("one request and one dispatch").hasValue(2);
    }
  }

  @OnEachServer
  void anApplicationMayGoAsynchronousAgainAndAgain(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              if (run < 4) {
                AsyncContext async = request.startAsync();
                ELSEWHERE.execute(async::dispatch);
              } else {
                AsyncContext async = request.startAsync();
                ELSEWHERE.execute(() -> answer(async, 200, "round " + run));
              }
            })) {
      twice(served, 200, "round 4");
      assertThat(served.runs).hasValue(4);
    }
  }

  @OnEachServer
  void anExceptionInADispatchLeavesTheOutcomeUnknown(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              if (request.getDispatcherType() == DispatcherType.ASYNC) {
                throw new IllegalStateException("failed later");
              }
              AsyncContext async = request.startAsync();
              ELSEWHERE.execute(async::dispatch);
            })) {
      assertThat(served.post("/later", "k1", "{}").statusCode()).isEqualTo(500);
      HttpResponse<String> retry = served.post("/later", "k1", "{}");
      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(retry.body()).contains("unknown-outcome");
      assertThat(served.runs).hasValue(2);
    }
  }

  @OnEachServer
  void aTimeOutThatNobodyHandlesLeavesTheOutcomeUnknown(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            f ->
                f.otherwise(
                    Route.optional().serverErrors(io.onceward.guard.Meaning.DID_NOT_HAPPEN)),
            (request, response, run) -> request.startAsync().setTimeout(50))) {
      assertThat(served.post("/later", "k1", "{}").statusCode()).isGreaterThanOrEqualTo(500);
      Served.await(() -> !served.filter.guard().unknowns(1).isEmpty());
      HttpResponse<String> retry = served.post("/later", "k1", "{}");
      assertThat(retry.statusCode())
          .as("the work may still go on, whatever the route says about 5xx")
          .isEqualTo(409);
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void anAnswerAfterTheTimeOutResolvesTheUnknown(Container container) throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              AsyncContext async = request.startAsync();
              async.setTimeout(50);
              ELSEWHERE.execute(
                  () -> {
                    try {
                      goOn.await(20, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                    answer(async, 201, "run " + run);
                  });
            })) {
      assertThat(served.post("/later", "k1", "{}").statusCode()).isEqualTo(500);
      Served.await(() -> !served.filter.guard().unknowns(1).isEmpty());
      assertThat(served.post("/later", "k1", "{}").body()).contains("unknown-outcome");
      goOn.countDown();
      Served.await(() -> served.filter.guard().unknowns(1).isEmpty());
      HttpResponse<String> retry = served.post("/later", "k1", "{}");
      assertThat(retry.statusCode()).isEqualTo(201);
      assertThat(retry.body()).isEqualTo("run 1");
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aTimeOutThatTheApplicationAnswersIsRemembered(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              AsyncContext async = request.startAsync();
              async.setTimeout(50);
              async.addListener(
                  new Listener() {
                    @Override
                    public void onTimeout(AsyncEvent event) {
                      answer(event.getAsyncContext(), 202, "accepted " + run);
                    }
                  });
            })) {
      twice(served, 202, "accepted 1");
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void aTimeOutAnsweredWithA5xxIsUnknownWhateverTheRouteSays(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            f ->
                f.otherwise(
                    Route.optional().serverErrors(io.onceward.guard.Meaning.DID_NOT_HAPPEN)),
            (request, response, run) -> {
              AsyncContext async = request.startAsync();
              async.setTimeout(50);
              async.addListener(
                  new Listener() {
                    @Override
                    public void onTimeout(AsyncEvent event) {
                      answer(event.getAsyncContext(), 503, "gave up on run " + run);
                    }
                  });
            })) {
      assertThat(served.post("/later", "k1", "{}").body()).isEqualTo("gave up on run 1");
      assertThat(served.post("/later", "k1", "{}").statusCode())
          .as("the work itself may still go on")
          .isEqualTo(409);
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void duplicatesOfAnAsynchronousRequestWaitForIt(Container container) throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              AsyncContext async = request.startAsync();
              ELSEWHERE.execute(
                  () -> {
                    try {
                      goOn.await(20, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                    answer(async, 201, "run " + run);
                  });
            })) {
      List<CompletableFuture<HttpResponse<String>>> copies = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        copies.add(served.sendAsync(served.keyed("/later", "k1", "{}")));
      }
      Served.await(() -> served.runs.get() == 1);
      goOn.countDown();
      int replays = 0;
      for (var copy : copies) {
        HttpResponse<String> answer = copy.get(20, TimeUnit.SECONDS);
        assertThat(answer.body()).isEqualTo("run 1");
        replays += Served.isReplay(answer) ? 1 : 0;
      }
      assertThat(replays).isEqualTo(4);
      assertThat(served.runs).hasValue(1);
    }
  }

  /** As reactive frameworks read and write. */
  @OnEachServer
  void nonBlockingReadingAndWritingIsNotExecutedTwice(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              AsyncContext async = request.startAsync();
              ServletInputStream in = request.getInputStream();
              in.setReadListener(new Echo(async, in, (HttpServletResponse) async.getResponse()));
            })) {
      twice(served, 201, "echo {\"a\":1}");
      assertThat(served.runs).hasValue(1);
    }
  }

  @OnEachServer
  void anErrorSentFromAnotherThreadIsRemembered(Container container) throws Exception {
    try (Served served =
        Served.by(
            container,
            (request, response, run) -> {
              AsyncContext async = request.startAsync();
              ELSEWHERE.execute(
                  () -> {
                    try {
                      ((HttpServletResponse) async.getResponse()).sendError(404, "run " + run);
                    } catch (IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                    async.complete();
                  });
            })) {
      twice(served, 404, "{\"type\":\"about:blank\",\"title\":\"run 1\",\"status\":404}");
    }
  }

  /** What waits for a run in another process is not woken by it, but asks again. */
  @OnEachServer
  void aRunAfterWaitingStillHappensOnAThreadOfTheContainer(Container container) throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    List<String> threads = new ArrayList<>();
    try (io.onceward.guard.MemoryStore store = io.onceward.guard.MemoryStore.builder().build();
        IdempotencyFilter elsewhere =
            IdempotencyFilter.on(store)
                .otherwise(Route.optional().serverErrors(io.onceward.guard.Meaning.DID_NOT_HAPPEN))
                .build();
        IdempotencyFilter here =
            IdempotencyFilter.on(store).guard(g -> g.pollEvery(Duration.ofMillis(5))).build();
        Served one =
            Served.with(
                container,
                elsewhere,
                (request, response, run) -> {
                  goOn.await(20, TimeUnit.SECONDS);
                  response.setStatus(503);
                });
        Served two =
            Served.with(
                container,
                here,
                (request, response, run) -> {
                  threads.add(Thread.currentThread().getName());
                  response.getWriter().print("ran here");
                })) {
      var first = one.sendAsync(one.keyed("/later", "k1", "{}"));
      Served.await(() -> one.runs.get() == 1);
      var second = two.sendAsync(two.keyed("/later", "k1", "{}"));
      CompletableFuture<HttpResponse<String>> unrelated =
          two.sendAsync(two.keyed("/later", "k2", "{}"));
      unrelated.get(20, TimeUnit.SECONDS);
      goOn.countDown();
      assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(503);
      assertThat(second.get(20, TimeUnit.SECONDS).body()).isEqualTo("ran here");
      assertThat(threads).hasSize(2).noneMatch(name -> name.startsWith("onceward"));
    }
  }

  private static void answer(AsyncContext async, int status, String body) {
    try {
      HttpServletResponse response = (HttpServletResponse) async.getResponse();
      response.setStatus(status);
      response.setContentType("text/plain");
      response.getWriter().print(body);
      response.flushBuffer();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    async.complete();
  }

  private abstract static class Listener implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }

  private record Echo(
      AsyncContext async,
      ServletInputStream in,
      HttpServletResponse response,
      ByteArrayOutputStream read)
      implements ReadListener, WriteListener {
    Echo(AsyncContext async, ServletInputStream in, HttpServletResponse response) {
      this(async, in, response, new ByteArrayOutputStream());
    }

    @Override
    public void onDataAvailable() throws IOException {
      byte[] few = new byte[3];
      while (in.isReady() && !in.isFinished()) {
        int n = in.read(few);
        read.write(few, 0, Math.max(n, 0));
      }
    }

    @Override
    public void onAllDataRead() throws IOException {
      response.getOutputStream().setWriteListener(this);
    }

    @Override
    public void onWritePossible() throws IOException {
      ServletOutputStream out = response.getOutputStream();
      response.setStatus(201);
      if (out.isReady()) {
        out.print("echo ");
      }
      if (out.isReady()) {
        out.write(read.toByteArray());
      }
      async.complete();
    }

    @Override
    public void onError(Throwable thrown) {
      throw new IllegalStateException(thrown);
    }
  }
}
