package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Executed;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.guard.DidNotHappenException;
import io.onceward.guard.Finding;
import io.onceward.guard.Meaning;
import io.onceward.guard.RefusedByGuardException;
import io.onceward.guard.ReplyNotKeptException;
import io.onceward.guard.UnknownOutcomeException;
import io.onceward.guard.UnknownRequest;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class OutboundGuardTest {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private OutboundGuard.Builder guard() {
    return OutboundGuard.inMemory(client).retryEvery(Duration.ofMillis(5));
  }

  private static OutboundCall call(FakeApi api, String key) {
    return OutboundCall.of(api.post("{}")).key(Key.text(key));
  }

  @Test
  void aRetryIsGivenTheAnswerOfTheFirst() throws Exception {
    try (FakeApi api =
            new FakeApi(
                (exchange, n) -> {
                  exchange.getResponseHeaders().set("Location", "/charges/" + n);
                  exchange.getResponseHeaders().set("Set-Cookie", "a=b");
                  FakeApi.answer(exchange, 201, "charge " + n);
                });
        OutboundGuard guard = guard().build()) {
      OutboundAnswer first = guard.send(call(api, "k1"));
      OutboundAnswer retry = guard.send(call(api, "k1"));

      assertThat(first.status()).isEqualTo(201);
      assertThat(first.replayed()).isFalse();
      assertThat(retry.replayed()).isTrue();
      assertThat(retry.response()).isEqualTo(first.response());
      assertThat(retry.text()).isEqualTo("charge 1");
      assertThat(retry.response().header("location")).isEqualTo("/charges/1");
      assertThat(retry.response().header("set-cookie")).isNull();
      assertThat(api.calls()).isEqualTo(1);
      assertThat(api.keys).containsExactly("");
    }
  }

  @Test
  void anErrorOfTheOtherSideIsAnAnswerAndIsRemembered() throws Exception {
    try (FakeApi api = new FakeApi((exchange, n) -> FakeApi.answer(exchange, 402, "no " + n));
        OutboundGuard guard = guard().build()) {
      assertThat(guard.send(call(api, "k1")).text()).isEqualTo("no 1");
      OutboundAnswer retry = guard.send(call(api, "k1"));
      assertThat(retry.status()).isEqualTo(402);
      assertThat(retry.text()).isEqualTo("no 1");
      assertThat(retry.replayed()).isTrue();
    }
  }

  @Test
  void aLostAnswerIsAskedForAgainWithTheSameKeyWhereTheOtherSideTakesKeys() throws Exception {
    Set<String> charged = ConcurrentHashMap.newKeySet();
    try (FakeApi api =
            new FakeApi(
                (exchange, n) -> {
                  charged.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
                  if (n > 2) {
                    FakeApi.answer(exchange, 201, "charged");
                  }
                });
        OutboundGuard guard = guard().takesKeys(Duration.ofHours(24)).build()) {
      assertThat(guard.send(call(api, "k1")).text()).isEqualTo("charged");
      assertThat(api.calls()).isEqualTo(3);
      assertThat(charged).hasSize(1);
      assertThat(api.keys.get(0)).matches("\"ow-[0-9a-f]{32}\"");
      guard.send(call(api, "k2"));
      assertThat(charged).hasSize(2);
    }
  }

  @Test
  void aLostAnswerIsUnknownWhereItDoesNotAndIsNotSentAgain() throws Exception {
    try (FakeApi api = new FakeApi((exchange, n) -> {});
        OutboundGuard guard = guard().build()) {
      for (int copy = 0; copy < 2; copy++) {
        assertThatThrownBy(() -> guard.send(call(api, "k1")))
            .isInstanceOfSatisfying(
                UnknownOutcomeException.class,
                e -> assertThat(e.executed()).isEqualTo(Executed.UNKNOWN));
      }
      assertThat(api.calls()).isEqualTo(1);
      UnknownRequest unknown = guard.guard().unknowns(10).get(0);
      assertThat(unknown.memo()).isEqualTo("POST http://127.0.0.1:" + api.port() + "/charge");
      assertThat(unknown.why()).contains("no answer");
    }
  }

  /** Execution 9: a read time-out is unknown, not a remembered failure. */
  @Test
  void aTimeOutOnReadingIsUnknownAndAProbeResolvesIt() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    AtomicReference<Finding> finding = new AtomicReference<>(new Finding.CannotTell());
    try (FakeApi api = new FakeApi((exchange, n) -> never.await(20, TimeUnit.SECONDS));
        OutboundGuard guard =
            guard().attemptTimeout(Duration.ofMillis(500)).probe(any -> finding.get()).build()) {
      assertThatThrownBy(() -> guard.send(call(api, "k1")))
          .isInstanceOf(UnknownOutcomeException.class)
          .hasRootCauseInstanceOf(java.util.concurrent.TimeoutException.class);
      assertThatThrownBy(() -> guard.send(call(api, "k1")))
          .isInstanceOf(UnknownOutcomeException.class);

      finding.set(new Finding.Happened(StoredResponse.of(402, "text/plain", "declined").toReply()));
      OutboundAnswer resolved = guard.send(call(api, "k1"));
      assertThat(resolved.status()).isEqualTo(402);
      assertThat(resolved.text()).isEqualTo("declined");
      assertThat(resolved.replayed()).isTrue();
      assertThat(guard.sendAsync(call(api, "k1")).get().text()).isEqualTo("declined");
      assertThat(api.calls()).isEqualTo(1);
      never.countDown();
    }
  }

  @Test
  void anAnswerThatDripsForTooLongIsUnknownToo() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (FakeApi api =
            new FakeApi(
                (exchange, n) -> {
                  exchange.sendResponseHeaders(200, 100);
                  exchange.getResponseBody().write('x');
                  exchange.getResponseBody().flush();
                  never.await(20, TimeUnit.SECONDS);
                });
        OutboundGuard guard = guard().attemptTimeout(Duration.ofMillis(500)).build()) {
      assertThatThrownBy(() -> guard.send(call(api, "k1")))
          .isInstanceOf(UnknownOutcomeException.class);
      never.countDown();
    }
  }

  @Test
  void withoutAConnectionNothingHappenedAndTheSameCallRunsLater() throws Exception {
    int port = freePort();
    try (OutboundGuard guard = guard().deadline(Duration.ofMillis(1500)).build()) {
      OutboundCall call = OutboundCall.of(FakeApi.post(port, "{}")).key(Key.text("k1"));
      assertThatThrownBy(() -> guard.send(call))
          .isInstanceOf(DidNotHappenException.class)
          .cause()
          .isInstanceOf(OutboundFailure.class);
      try (FakeApi api =
          new FakeApi(port, (exchange, n) -> FakeApi.answer(exchange, 200, "there"))) {
        assertThat(guard.send(call).text()).isEqualTo("there");
        assertThat(api.calls()).isEqualTo(1);
      }
    }
  }

  @Test
  void aConnectionThatComesInTimeIsWaitedFor() throws Exception {
    int port = freePort();
    try (OutboundGuard guard = guard().build()) {
      OutboundCall call = OutboundCall.of(FakeApi.post(port, "{}")).key(Key.text("k1"));
      CompletableFuture<OutboundAnswer> answer = guard.sendAsync(call);
      try (FakeApi api =
          new FakeApi(port, (exchange, n) -> FakeApi.answer(exchange, 200, "there"))) {
        assertThat(answer.get(20, TimeUnit.SECONDS).text()).isEqualTo("there");
        assertThat(api.calls()).isEqualTo(1);
      }
    }
  }

  /** The first attempt may have charged; that the second found no connection changes nothing. */
  @Test
  void aCallThatMayHaveArrivedNeverCountsAsOneThatDidNotHappen() throws Exception {
    FakeApi api = new FakeApi((exchange, n) -> {});
    OutboundCall call = call(api, "k1");
    try (OutboundGuard guard =
        guard()
            .takesKeys(Duration.ofHours(1))
            .deadline(Duration.ofSeconds(2))
            .attemptTimeout(Duration.ofMillis(500))
            .build()) {
      CompletableFuture<OutboundAnswer> lost = guard.sendAsync(call);
      Served.await(() -> api.calls() > 0);
      api.close();
      assertThatThrownBy(() -> lost.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(UnknownOutcomeException.class);
      assertThatThrownBy(() -> guard.send(call.deadline(Duration.ofSeconds(1))))
          .as("neither does a later run")
          .isInstanceOf(UnknownOutcomeException.class);
      try (FakeApi back =
          new FakeApi(api.port(), (exchange, n) -> FakeApi.answer(exchange, 200, "there"))) {
        assertThat(guard.send(call).text()).isEqualTo("there");
        assertThat(new TreeSet<>(back.keys)).isEqualTo(new TreeSet<>(api.keys)).hasSize(1);
      }
    }
  }

  @Test
  void aServerErrorIsUnknownWithoutKeysAndAskedAgainWithThem() throws Exception {
    try (FakeApi api =
            new FakeApi(
                (exchange, n) -> FakeApi.answer(exchange, n % 2 == 1 ? 503 : 200, "call " + n));
        OutboundGuard without = guard().build();
        OutboundGuard with = guard().takesKeys(Duration.ofHours(1)).build()) {
      assertThatThrownBy(() -> without.send(call(api, "k1")))
          .isInstanceOf(UnknownOutcomeException.class)
          .cause()
          .isInstanceOfSatisfying(
              OutboundFailure.class, e -> assertThat(e.response().status()).isEqualTo(503));
      assertThatThrownBy(() -> without.send(call(api, "k1")))
          .isInstanceOf(UnknownOutcomeException.class);
      assertThat(api.calls()).isEqualTo(1);
      api.keys.clear();
      assertThat(with.send(call(api, "k1")).text()).isEqualTo("call 2");
    }
  }

  @Test
  void aRateLimitIsUnknownUnlessTheUserKnowsBetter() throws Exception {
    try (FakeApi api =
            new FakeApi(
                (exchange, n) -> {
                  if (n != 3) {
                    exchange.getResponseHeaders().set("Retry-After", "1");
                  }
                  FakeApi.answer(exchange, n == 3 ? 200 : 429, "call " + n);
                });
        OutboundGuard safe = guard().build();
        OutboundGuard knowing = guard().status(429, Meaning.DID_NOT_HAPPEN).build()) {
      assertThatThrownBy(() -> safe.send(call(api, "k1")))
          .isInstanceOf(UnknownOutcomeException.class);
      assertThatThrownBy(() -> knowing.send(call(api, "k1").deadline(Duration.ofMillis(1500))))
          .as("it asks to come back after the deadline")
          .isInstanceOf(DidNotHappenException.class);
      assertThat(knowing.send(call(api, "k1")).text()).isEqualTo("call 3");
    }
  }

  @Test
  void whoIsNotAuthenticatedDidNothingAndIsNotToldSoForADay() throws Exception {
    try (FakeApi api =
            new FakeApi((exchange, n) -> FakeApi.answer(exchange, n == 1 ? 401 : 200, ""));
        OutboundGuard guard = guard().build()) {
      assertThatThrownBy(() -> guard.send(call(api, "k1")))
          .isInstanceOf(DidNotHappenException.class);
      assertThat(guard.send(call(api, "k1")).status()).isEqualTo(200);
      assertThat(api.calls()).isEqualTo(2);
    }
  }

  @Test
  void withoutAKeyOfTheCallersWhatItSaysIsItsId() throws Exception {
    try (FakeApi api = new FakeApi((exchange, n) -> FakeApi.answer(exchange, 200, "call " + n));
        OutboundGuard guard = guard().build()) {
      assertThat(guard.send(api.post("{\"amount\":1}")).text()).isEqualTo("call 1");
      assertThat(guard.send(api.post("{\"amount\":1}")).text()).isEqualTo("call 1");
      assertThat(guard.send(api.post("{\"amount\":2}")).text()).isEqualTo("call 2");
      OutboundCall otherOrder = OutboundCall.of(api.post("{\"amount\":1}")).scope("order 2");
      assertThat(guard.send(otherOrder).text()).isEqualTo("call 3");
      assertThat(guard.send(otherOrder.principal("bob")).text()).isEqualTo("call 4");
      var elsewhere =
          HttpRequest.newBuilder(api.post("{\"amount\":1}"), (name, value) -> true)
              .uri(URI.create("http://127.0.0.1:" + api.port() + "/refund"))
              .build();
      assertThat(guard.send(elsewhere).text()).isEqualTo("call 5");
    }
  }

  @Test
  void aKeyUsedForSomethingElseIsRefused() throws Exception {
    try (FakeApi api = new FakeApi((exchange, n) -> FakeApi.answer(exchange, 200, ""));
        OutboundGuard guard = guard().build()) {
      guard.send(call(api, "k1"));
      assertThatThrownBy(
              () -> guard.send(OutboundCall.of(api.post("{\"a\":1}")).key(Key.text("k1"))))
          .isInstanceOfSatisfying(
              RefusedByGuardException.class,
              e -> assertThat(e.refusal()).isEqualTo(Refusal.MISMATCH));
    }
  }

  @Test
  void anAnswerTooLargeToKeepIsNotAskedForAgain() throws Exception {
    try (FakeApi api =
            new FakeApi((exchange, n) -> FakeApi.answer(exchange, 200, "x".repeat(100_000)));
        OutboundGuard guard = guard().build()) {
      for (int copy = 0; copy < 2; copy++) {
        assertThatThrownBy(() -> guard.send(call(api, "k1")))
            .isInstanceOfSatisfying(
                ReplyNotKeptException.class, e -> assertThat(e.executed()).isEqualTo(Executed.YES));
      }
      assertThat(api.calls()).isEqualTo(1);
    }
  }

  @Test
  void concurrentCallsAreOne() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    try (FakeApi api =
            new FakeApi(
                (exchange, n) -> {
                  goOn.await(20, TimeUnit.SECONDS);
                  FakeApi.answer(exchange, 200, "call " + n);
                });
        OutboundGuard guard = guard().build()) {
      List<CompletableFuture<OutboundAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        answers.add(guard.sendAsync(call(api, "k1")));
      }
      goOn.countDown();
      int replays = 0;
      for (var answer : answers) {
        assertThat(answer.get(20, TimeUnit.SECONDS).text()).isEqualTo("call 1");
        replays += answer.get().replayed() ? 1 : 0;
      }
      assertThat(replays).isEqualTo(9);
      assertThat(api.calls()).isEqualTo(1);
    }
  }

  @Test
  void timesThatDoNotFitAreRefused() {
    assertThatThrownBy(
            () -> guard().lease(Duration.ofSeconds(10)).deadline(Duration.ofSeconds(10)).build())
        .hasMessageContaining("shorter than the lease of PT10S");
    assertThatThrownBy(() -> guard().takesKeys(Duration.ofSeconds(60)).build())
        .hasMessageContaining("longer than the lease");
    assertThatThrownBy(() -> guard().keyHeader("X-Key", false).build())
        .hasMessageContaining("takesKeys");
    assertThatThrownBy(() -> guard().attemptTimeout(Duration.ZERO).build())
        .hasMessageContaining("attemptTimeout");
    try (OutboundGuard guard = guard().takesKeys(Duration.ofHours(1)).build()) {
      OutboundCall call = OutboundCall.of(FakeApi.post(1, "{}"));
      assertThatThrownBy(() -> guard.send(call.deadline(Duration.ofMinutes(1))))
          .hasMessageContaining("lease");
      var request =
          HttpRequest.newBuilder(FakeApi.post(1, "{}"), (name, value) -> true)
              .header("Idempotency-Key", "mine")
              .build();
      assertThatThrownBy(() -> guard.send(request)).hasMessageContaining("Idempotency-Key");
    }
    try (OutboundGuard guard = guard().maxRequestBytes(10).build()) {
      assertThatThrownBy(() -> guard.send(FakeApi.post(1, "12345678901")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasRootCauseMessage("it has more than the 10 bytes allowed");
    }
  }

  @Test
  void anInterruptedCallerLeavesItUnknownAndSendsNoMore() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (FakeApi api = new FakeApi((exchange, n) -> never.await(20, TimeUnit.SECONDS));
        OutboundGuard guard = guard().takesKeys(Duration.ofHours(1)).build()) {
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread caller =
          new Thread(
              () -> {
                try {
                  guard.send(call(api, "k1"));
                } catch (RuntimeException e) {
                  thrown.set(e);
                }
              });
      caller.start();
      Served.await(() -> api.calls() == 1);
      caller.interrupt();
      caller.join(20_000);
      assertThat(thrown.get()).isInstanceOf(UnknownOutcomeException.class);
      never.countDown();
      assertThat(api.calls()).isEqualTo(1);
    }
  }

  @OnEachServer
  void theTwoEndsUnderstandEachOther(Container container) throws Exception {
    try (Served served =
            Served.by(
                container,
                f -> f.otherwise(Route.required().serverErrors(Meaning.DID_NOT_HAPPEN)),
                (request, response, run) -> {
                  response.setStatus(run < 3 ? 503 : 201);
                  response.getWriter().print("run " + run);
                });
        OutboundGuard guard = guard().takesKeys(Duration.ofHours(24)).build()) {
      OutboundCall call =
          OutboundCall.of(FakeApi.post(served.port(), "{}")).key(Key.text("order 4711"));
      assertThat(guard.send(call).text()).isEqualTo("run 3");
      try (OutboundGuard restarted = guard().takesKeys(Duration.ofHours(24)).build()) {
        assertThat(restarted.send(call).text())
            .as("its memory is gone, theirs is not")
            .isEqualTo("run 3");
      }
      assertThat(served.runs).hasValue(3);
    }
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
