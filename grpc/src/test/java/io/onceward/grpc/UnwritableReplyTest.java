package io.onceward.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The service has done its work, and its answer cannot be remembered. */
class UnwritableReplyTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReplyThatCannotBeWrittenEndsTheCallAsUnknown(boolean later) throws Exception {
    TextService.Handler handler =
        (request, reply, run) -> {
          Runnable answer =
              () -> {
                reply.onNext(TextService.UNWRITABLE);
                reply.onCompleted();
              };
          if (later) {
            CompletableFuture<Void> unused = CompletableFuture.runAsync(answer);
          } else {
            answer.run();
          }
        };
    try (TextService service = TextService.behind(OnceInterceptor.inMemory(), handler)) {
      for (int copy = 0; copy < 2; copy++) {
        assertThatThrownBy(() -> service.call("k1", "pay"))
            .satisfies(
                e -> {
                  assertThat(Status.fromThrowable(e).getCode())
                      .isEqualTo(Status.Code.FAILED_PRECONDITION);
                  Metadata trailers = Status.trailersFromThrowable(e);
                  assertThat(trailers.get(Answers.PROBLEM)).isEqualTo("unknown-outcome");
                  assertThat(trailers.get(Answers.EXECUTED)).isEqualTo("unknown");
                });
      }
      assertThat(service.runs).hasValue(1);
      assertThat(service.interceptor.guard().unknowns(10))
          .singleElement()
          .satisfies(unknown -> assertThat(unknown.why()).contains("cannot be written"));
    }
  }

  @Test
  void trailersThatCannotBeAreRefusedWhenTheyAreSetUp() {
    for (String bad : new String[] {"", "two words", "größe", ":path"}) {
      assertThatThrownBy(() -> OnceInterceptor.inMemory().storeTrailers("x-trace", bad))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class);
    }
    OnceInterceptor.inMemory().storeTrailers("X-Trace", "x-details-bin").build().close();
  }
}
