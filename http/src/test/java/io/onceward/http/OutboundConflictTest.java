package io.onceward.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Key;
import io.onceward.guard.DidNotHappenException;
import io.onceward.guard.Meaning;
import io.onceward.guard.UnknownOutcomeException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The other side says 409: because it declines, or because an earlier copy under the key is still
 * at work there, which is no answer to remember.
 */
class OutboundConflictTest {
  private static OutboundGuard.Builder guard(HttpClient.Version version) {
    return OutboundGuard.inMemory(HttpClient.newBuilder().version(version).build())
        .retryEvery(Duration.ofMillis(5));
  }

  private static OutboundGuard.Builder guard() {
    return guard(HttpClient.Version.HTTP_1_1);
  }

  private static OutboundCall call(FakeApi api) {
    return OutboundCall.of(api.post("{}")).key(Key.text("k1"));
  }

  @Test
  void aConflictWithAnAttemptThatStillRunsIsNotRemembered() throws Exception {
    CountDownLatch second = new CountDownLatch(1);
    try (FakeApi api =
            new FakeApi(
                (exchange, n) -> {
                  if (n == 1) {
                    second.await(20, TimeUnit.SECONDS);
                  } else {
                    second.countDown();
                    FakeApi.answer(exchange, n == 2 ? 409 : 201, "answer " + n);
                  }
                });
        OutboundGuard guard =
            guard().takesKeys(Duration.ofHours(1)).attemptTimeout(Duration.ofMillis(500)).build()) {
      OutboundAnswer answer = guard.send(call(api));
      assertThat(answer.status()).isEqualTo(201);
      assertThat(answer.text()).isEqualTo("answer 3");
      OutboundAnswer retry = guard.send(call(api));
      assertThat(retry.text()).isEqualTo("answer 3");
      assertThat(retry.replayed()).isTrue();
      assertThat(api.keys).hasSize(3).containsOnly(api.keys.get(0));
    }
  }

  @Test
  void aConflictWithAnEarlierCallIsNotRemembered() throws Exception {
    AtomicBoolean isDone = new AtomicBoolean();
    try (FakeApi api =
            new FakeApi(
                (exchange, n) -> {
                  if (n > 1) {
                    FakeApi.answer(exchange, isDone.get() ? 201 : 409, "");
                  }
                });
        OutboundGuard guard =
            guard().retryEvery(Duration.ofSeconds(20)).takesKeys(Duration.ofHours(1)).build()) {
      OutboundCall hurried = call(api).deadline(Duration.ofSeconds(10));
      assertThatThrownBy(() -> guard.send(hurried)).isInstanceOf(UnknownOutcomeException.class);
      assertThatThrownBy(() -> guard.send(hurried))
          .as("another run meets the first")
          .isInstanceOf(UnknownOutcomeException.class);
      assertThat(api.calls()).isEqualTo(2);
      isDone.set(true);
      assertThat(guard.send(hurried).status()).isEqualTo(201);
    }
  }

  /**
   * However the client counts what it sends: neither with nor without a body is it a repetition.
   */
  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aConflictOfTheFirstCopyIsItsAnswer(HttpClient.Version version) throws Exception {
    try (FakeApi api = new FakeApi((exchange, n) -> FakeApi.answer(exchange, 409, "no " + n));
        OutboundGuard guard = guard(version).takesKeys(Duration.ofHours(1)).build()) {
      assertThat(guard.send(call(api)).text()).isEqualTo("no 1");
      assertThat(guard.send(call(api)).text()).isEqualTo("no 1");
      assertThat(guard.send(OutboundCall.of(api.post("")).key(Key.text("k2"))).text())
          .isEqualTo("no 2");
      assertThat(api.calls()).isEqualTo(2);
    }
  }

  /**
   * First runs of undated keys have greater fences from then on; they are first runs all the same.
   */
  @Test
  void aConflictIsTheAnswerAlsoAfterOtherCallsWereDropped() throws Exception {
    try (FakeApi api = new FakeApi((exchange, n) -> FakeApi.answer(exchange, 409, "no " + n));
        OutboundGuard guard =
            guard().retryEvery(Duration.ofSeconds(20)).takesKeys(Duration.ofHours(1)).build()) {
      assertThat(guard.send(OutboundCall.of(api.post("{}")).key(Key.text("k0"))).text())
          .isEqualTo("no 1");
      assertThat(guard.guard().forget(Instant.now().plusSeconds(1))).isEqualTo(1);
      assertThat(guard.send(call(api).deadline(Duration.ofSeconds(10))).text()).isEqualTo("no 2");
      assertThat(guard.send(call(api)).text()).isEqualTo("no 2");
    }
  }

  @Test
  void aConflictIsTheAnswerAfterACallThatDidNotHappen() throws Exception {
    try (FakeApi api =
            new FakeApi(
                (exchange, n) -> FakeApi.answer(exchange, n == 1 ? 421 : 409, "answer " + n));
        OutboundGuard guard = guard().takesKeys(Duration.ofHours(1)).build()) {
      assertThatThrownBy(() -> guard.send(call(api))).isInstanceOf(DidNotHappenException.class);
      for (int copy = 0; copy < 2; copy++) {
        assertThat(guard.send(call(api)).text()).isEqualTo("answer 2");
      }
      assertThat(api.calls()).isEqualTo(2);
    }
  }

  @Test
  void aConflictIsTheAnswerWhereTheUserSaysSo() throws Exception {
    try (FakeApi api =
            new FakeApi(
                (exchange, n) -> {
                  if (n > 1) {
                    FakeApi.answer(exchange, 409, "no " + n);
                  }
                });
        OutboundGuard guard =
            guard().takesKeys(Duration.ofHours(1)).status(409, Meaning.BUSINESS_ERROR).build()) {
      assertThat(guard.send(call(api)).text()).isEqualTo("no 2");
      assertThat(guard.send(call(api)).replayed()).isTrue();
    }
  }

  @Test
  void aMisdirectedCallDidNotHappen() throws Exception {
    try (FakeApi api =
            new FakeApi((exchange, n) -> FakeApi.answer(exchange, n == 1 ? 421 : 200, ""));
        OutboundGuard guard = guard().build()) {
      assertThatThrownBy(() -> guard.send(call(api))).isInstanceOf(DidNotHappenException.class);
      assertThat(guard.send(call(api)).status()).isEqualTo(200);
    }
  }

  @Test
  void aCallThatWasGivenUpThereIsUnknown() throws Exception {
    try (FakeApi api = new FakeApi((exchange, n) -> FakeApi.answer(exchange, 499, ""));
        OutboundGuard guard = guard().build()) {
      for (int copy = 0; copy < 2; copy++) {
        assertThatThrownBy(() -> guard.send(call(api))).isInstanceOf(UnknownOutcomeException.class);
      }
      assertThat(api.calls()).isEqualTo(1);
    }
  }
}
