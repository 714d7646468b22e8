package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AlarmTest {
  @Test
  void exceptionOfTheActionIsReported() throws Exception {
    CompletableFuture<Throwable> reported = new CompletableFuture<>();
    RuntimeException problem = new IllegalStateException("asked to");
    try (Alarm alarm =
        new Alarm(
            () -> {
              throw problem;
            },
            reported::complete)) {
      alarm.set(alarm.nowMillis());
      assertThat(reported.get(20, TimeUnit.SECONDS)).isSameAs(problem);
    }
  }
}
