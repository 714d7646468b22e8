package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Key;
import io.onceward.guard.InProgressException;
import io.onceward.guard.UnknownOutcomeException;
import java.net.Authenticator;
import java.net.ConnectException;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call ends at its caller's deadline, whatever it waits for. */
@Timeout(30)
class OutboundDeadlineTest {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void aCallWaitsForItsTwinUntilItsOwnDeadline() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    try (FakeApi api =
            new FakeApi(
                (exchange, n) -> {
                  goOn.await(20, TimeUnit.SECONDS);
                  FakeApi.answer(exchange, 200, "call " + n);
                });
        OutboundGuard guard =
            OutboundGuard.inMemory(CLIENT)
                .lease(Duration.ofHours(1))
                .deadline(Duration.ofMinutes(50))
                .attemptTimeout(Duration.ofMinutes(50))
                .build()) {
      OutboundCall call = OutboundCall.of(api.post("{}")).key(Key.text("k1"));
      CompletableFuture<OutboundAnswer> first = guard.sendAsync(call);
      Served.await(() -> api.calls() == 1);
      OutboundCall hurried = call.deadline(Duration.ofMillis(50));
      assertThatThrownBy(() -> guard.send(hurried)).isInstanceOf(InProgressException.class);
      assertThatThrownBy(() -> guard.sendAsync(hurried).get())
          .hasCauseInstanceOf(InProgressException.class);
      goOn.countDown();
      assertThat(first.get().text()).isEqualTo("call 1");
      assertThat(guard.send(hurried).text()).as("a replay needs no time").isEqualTo("call 1");
      assertThat(api.calls()).isEqualTo(1);
    }
  }

  /** As a client does that was shut down between two attempts. */
  @Test
  void aClientThatThrowsOnALaterAttemptEndsTheCall() throws Exception {
    Throwing client = new Throwing();
    try (OutboundGuard guard =
        OutboundGuard.inMemory(client).retryEvery(Duration.ofMillis(1)).build()) {
      OutboundCall call = OutboundCall.of(FakeApi.post(1, "{}")).key(Key.text("k1"));
      assertThatThrownBy(() -> guard.send(call))
          .isInstanceOf(UnknownOutcomeException.class)
          .hasRootCauseMessage("the client is shut down");
      assertThat(client.attempts).hasValue(2);
    }
  }

  @Test
  void anAttemptThatIsDueWhenNobodyWaitsAnyMoreIsNotMade() throws Exception {
    Throwing client = new Throwing();
    OutboundRun run =
        new OutboundRun(
            client,
            FakeApi.post(1, "{}"),
            new OutboundGuard.Terms(
                new OtherSide(null, true, Map.of()),
                StoredHeaders.byDefault(),
                1000,
                Duration.ofSeconds(10),
                Duration.ofMillis(500)),
            false,
            System.nanoTime() + Duration.ofSeconds(20).toNanos());
    CompletableFuture<StoredResponse> result = run.begin();
    run.stop();
    assertThatThrownBy(result::get).hasMessageContaining("nobody waited any more");
    assertThat(client.attempts).hasValue(1);
  }

  /** Finds no connection at first, and then throws. */
  private static final class Throwing extends HttpClient {
    final AtomicInteger attempts = new AtomicInteger();

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
        HttpRequest request, HttpResponse.BodyHandler<T> handler) {
      if (attempts.incrementAndGet() == 1) {
        return CompletableFuture.failedFuture(new ConnectException("refused"));
      }
      throw new IllegalStateException("the client is shut down");
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
        HttpRequest request,
        HttpResponse.BodyHandler<T> handler,
        HttpResponse.PushPromiseHandler<T> pushes) {
      return sendAsync(request, handler);
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
      return sendAsync(request, handler).join();
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
      return Optional.empty();
    }

    @Override
    public Optional<Duration> connectTimeout() {
      return Optional.empty();
    }

    @Override
    public Redirect followRedirects() {
      return Redirect.NEVER;
    }

    @Override
    public Optional<ProxySelector> proxy() {
      return Optional.empty();
    }

    @Override
    public SSLContext sslContext() {
      return CLIENT.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
      return CLIENT.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
      return Optional.empty();
    }

    @Override
    public Version version() {
      return Version.HTTP_1_1;
    }

    @Override
    public Optional<Executor> executor() {
      return Optional.empty();
    }
  }
}
