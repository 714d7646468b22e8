package io.onceward.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WatchdogTest {
  private final CompletableFuture<String> bark = new CompletableFuture<>();

  @Test
  void barksAtAPartThatTakesTooLong() throws Exception {
    try (Watchdog dog = Watchdog.over(Thread.currentThread(), bark::complete)) {
      dog.during("the proof", 10);

      assertThat(bark.get(20, TimeUnit.SECONDS))
          .startsWith("the proof took longer than")
          .contains("WatchdogTest.barksAtAPartThatTakesTooLong");
    }
  }

  @Test
  void everyPartHasItsOwnTime() throws Exception {
    try (Watchdog dog = Watchdog.over(Thread.currentThread(), bark::complete)) {
      dog.during("the first", 60_000);
      dog.during("the second", 10);

      assertThat(bark.get(20, TimeUnit.SECONDS)).startsWith("the second");
    }
  }

  @Test
  void aClosedOneIsSilent() {
    Watchdog dog = Watchdog.over(Thread.currentThread(), bark::complete);
    dog.during("the proof", 200);
    dog.close();

    assertThat(bark.completeOnTimeout("silence", 400, TimeUnit.MILLISECONDS).join())
        .isEqualTo("silence");
  }
}
