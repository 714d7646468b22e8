package io.onceward.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Metadata;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Callers who know nothing of idempotency-key. */
class KeySourceTest {
  private static final TextService.Handler ECHOES =
      (request, reply, run) -> {
        reply.onNext(request + " run " + run);
        reply.onCompleted();
      };

  /** The text before the colon. */
  private static final KeySource FIELD =
      KeySource.message(
          message -> {
            String text = (String) message;
            int end = text.indexOf(':');
            return end < 0 ? null : text.substring(0, end);
          });

  private static TextService service(KeySource source, boolean required) throws Exception {
    return TextService.behind(
        OnceInterceptor.inMemory().keys(any -> source).required(any -> required), ECHOES);
  }

  private static void isRefused(TextService service, String text, String problem) {
    assertThatThrownBy(() -> service.call(null, text))
        .satisfies(
            e -> {
              assertThat(Status.fromThrowable(e).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
              assertThat(Status.trailersFromThrowable(e).get(Answers.PROBLEM)).isEqualTo(problem);
            });
  }

  @Test
  void theKeyMayBeUnderAnotherMetadataKey() throws Exception {
    try (TextService service = service(KeySource.metadata("x-request-id"), true)) {
      Metadata id = new Metadata();
      id.put(Metadata.Key.of("x-request-id", Metadata.ASCII_STRING_MARSHALLER), "r1");
      assertThat(service.call(null, "pay", id).text()).isEqualTo("pay run 1");
      assertThat(service.call(null, "pay", id))
          .isEqualTo(new TextService.Answer("pay run 1", true));
      isRefused(service, "pay", "missing-key");
      assertThatThrownBy(() -> service.call("k1", "pay")).hasMessageContaining("x-request-id");
    }
  }

  @Test
  void theKeyMayBeInTheMessage() throws Exception {
    try (TextService service = service(FIELD, true)) {
      assertThat(service.call(null, "o1:pay").text()).isEqualTo("o1:pay run 1");
      assertThat(service.call(null, "o1:pay").replayed()).isTrue();
      isRefused(service, "o1:refund", "mismatch");
      isRefused(service, "pay", "missing-key");
      isRefused(service, ":pay", "missing-key");
      isRefused(service, "x".repeat(256) + ":pay", "malformed-key");
      assertThat(service.call(null, "o2:pay").text()).isEqualTo("o2:pay run 2");
    }
  }

  @Test
  void theMessageMayBeTheKeyUnlessItIsEmpty() throws Exception {
    try (TextService service = service(KeySource.messageHash(), true)) {
      assertThat(service.call(null, "pay").text()).isEqualTo("pay run 1");
      assertThat(service.call(null, "pay").replayed()).isTrue();
      assertThat(service.call(null, "pay 2").text()).isEqualTo("pay 2 run 2");
      isRefused(service, "", "missing-key");
    }
  }

  @Test
  void whatHasNoKeyPassesWhereNoneIsRequired() throws Exception {
    try (TextService service = service(FIELD, false)) {
      for (int run = 1; run <= 2; run++) {
        assertThat(service.call(null, "pay"))
            .isEqualTo(new TextService.Answer("pay run " + run, false));
      }
      assertThat(service.stream(null, "o1:twice")).isEqualTo(List.of("o1:twice", "o1:twice"));
    }
  }

  @Test
  void whoIsNotAuthenticatedDidNothing() throws Exception {
    try (TextService service =
        TextService.behind(
            OnceInterceptor.inMemory(),
            (request, reply, run) -> {
              if (run == 1) {
                reply.onError(Status.UNAUTHENTICATED.asRuntimeException());
              } else {
                ECHOES.handle(request, reply, run);
              }
            })) {
      assertThatThrownBy(() -> service.call("k1", "pay"))
          .satisfies(
              e ->
                  assertThat(Status.fromThrowable(e).getCode())
                      .isEqualTo(Status.Code.UNAUTHENTICATED));
      assertThat(service.call("k1", "pay").text()).isEqualTo("pay run 2");
    }
  }
}
