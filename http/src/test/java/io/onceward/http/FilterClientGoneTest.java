package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;

/**
 * Clients that cancel a request on HTTP/2, where the container notices at once and ends the
 * request, while the application still works on it in a thread of its own.
 */
class FilterClientGoneTest {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();

  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);
  private final AtomicReference<Throwable> trouble = new AtomicReference<>();

  /** How many requests the container has back from the filters, suspended or not. */
  private final AtomicInteger returned = new AtomicInteger();

  @AfterEach
  void nothingIsLeftWaiting() {
    goOn.countDown();
  }

  /** What the application does when it goes on. */
  private interface Rest {
    void run(AsyncContext async) throws IOException;
  }

  /** The first request answers at once: with it, the connection learns HTTP/2. */
  private Served.Handler later(Rest rest) {
    return (request, response, run) -> {
      response.setHeader("Location", "/payments/" + run);
      if (run == 1) {
        return;
      }
      AsyncContext async = request.startAsync();
      async.setTimeout(30_000);
      async.addListener(new Ended());
      new Thread(() -> goOn(rest, async)).start();
    };
  }

  private void goOn(Rest rest, AsyncContext async) {
    try {
      assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
      rest.run(async);
    } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
      trouble.set(e);
    } finally {
      answered.countDown();
    }
  }

  private static void answer(AsyncContext async) throws IOException {
    HttpServletResponse response = (HttpServletResponse) async.getResponse();
    response.setStatus(201);
    response.setContentType("text/plain;charset=UTF-8");
    response.setHeader("ETag", "\"7\"");
    response.getWriter().print("booked, thöugh nobody waits");
    response.flushBuffer();
    async.complete();
  }

  private Served served(Container container, Served.Handler handler) throws Exception {
    return Served.by(
        container,
        any -> any,
        new Served.Setup()
            .between(
                (request, response, chain) -> {
                  chain.doFilter(request, response);
                  returned.incrementAndGet();
                })
            .handler(handler));
  }

  private void askAndLeave(Served served) throws Exception {
    HttpResponse<String> first =
        client.send(served.request("/pay").build(), BodyHandlers.ofString());
    assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_2);
    CompletableFuture<HttpResponse<String>> lost =
        client.sendAsync(served.keyed("/pay", "k1", "{}").build(), BodyHandlers.ofString());
    Served.await(() -> returned.get() == 2);
    served.awaitIdle(); // a request that is cancelled while Tomcat suspends it goes on unnoticed
    assertThat(lost.cancel(true)).isTrue();
    assertThat(ended.await(20, TimeUnit.SECONDS)).as("the container ends it").isTrue();
  }

  private void isReplayed(HttpResponse<String> retry, Served served) {
    assertThat(trouble).hasNullValue();
    assertThat(retry.statusCode()).isEqualTo(201);
    assertThat(retry.body()).isEqualTo("booked, thöugh nobody waits");
    assertThat(retry.headers().firstValue("Location")).hasValue("/payments/2");
    assertThat(retry.headers().firstValue("ETag")).hasValue("\"7\"");
    assertThat(Served.isReplay(retry)).isTrue();
    assertThat(served.runs).hasValue(2);
  }

  @OnEachServer
  void theAnswerIsRecordedThoughNobodyWaits(Container container) throws Exception {
    try (Served served = served(container, later(FilterClientGoneTest::answer))) {
      askAndLeave(served);
      goOn.countDown();
      assertThat(answered.await(20, TimeUnit.SECONDS)).isTrue();
      isReplayed(served.post("/pay", "k1", "{}"), served);
    }
  }

  @OnEachServer
  void aRetryWaitsForTheRunThatGoesOn(Container container) throws Exception {
    try (Served served = served(container, later(FilterClientGoneTest::answer))) {
      askAndLeave(served);
      var retry = served.sendAsync(served.keyed("/pay", "k1", "{}"));
      HttpResponse<String> other = served.post("/pay", "k1", "{\"a\":1}");
      assertThat(other.statusCode()).as("it is known, and not given up").isEqualTo(422);
      goOn.countDown();
      isReplayed(retry.get(20, TimeUnit.SECONDS), served);
    }
  }

  /** A container cannot dispatch a request that it has ended, so there will be no answer. */
  @OnEachServer
  void aDispatchAfterTheEndIsUnknownAtOnce(Container container) throws Exception {
    try (Served served = served(container, later(AsyncContext::dispatch))) {
      askAndLeave(served);
      goOn.countDown();
      assertThat(answered.await(20, TimeUnit.SECONDS)).isTrue();
      Served.await(() -> !served.filter.guard().unknowns(1).isEmpty());
      assertThat(served.filter.guard().unknowns(2))
          .singleElement()
          .satisfies(unknown -> assertThat(unknown.why()).contains("the client was gone"));
      assertThat(served.post("/pay", "k1", "{}").body()).contains("unknown-outcome");
    }
  }

  /** The answer to the disconnection of a client is no answer to its request. */
  @OnEachServer
  void aListenerOfTheApplicationDoesNotAnswerInItsPlace(Container container) throws Exception {
    Served.Handler handler =
        (request, response, run) -> {
          later(FilterClientGoneTest::answer).handle(request, response, run);
          if (run == 2) {
            request
                .getAsyncContext()
                .addListener(
                    new Ended() {
                      @Override
                      public void onError(AsyncEvent event) {
                        event.getAsyncContext().complete();
                      }
                    });
          }
        };
    try (Served served = served(container, handler)) {
      askAndLeave(served);
      goOn.countDown();
      assertThat(answered.await(20, TimeUnit.SECONDS)).isTrue();
      isReplayed(served.post("/pay", "k1", "{}"), served);
    }
  }

  /** On HTTP/1.1 a container notices when it writes, and not before. */
  @OnEachServer
  void aLostConnectionLosesNothingEither(Container container) throws Exception {
    try (Served served = served(container, later(FilterClientGoneTest::answer))) {
      served.post("/pay", "k0", "{}");
      try (java.net.Socket socket = served.socket()) {
        socket.setSoLinger(true, 0);
        socket.getOutputStream().write(Served.rawPost("/pay", "k1", "{}"));
        Served.await(() -> returned.get() == 2);
      }
      goOn.countDown();
      assertThat(answered.await(20, TimeUnit.SECONDS)).isTrue();
      isReplayed(served.post("/pay", "k1", "{}"), served);
    }
  }

  private class Ended implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      ended.countDown();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      throw new UncheckedIOException(new IOException("timed out"));
    }

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }
}
