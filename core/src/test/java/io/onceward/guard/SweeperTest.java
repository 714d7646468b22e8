package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SweeperTest {
  @Test
  void failedSweepIsNotTheLast() throws Exception {
    CountDownLatch sweeps = new CountDownLatch(2);
    ClaimStore store =
        (ClaimStore)
            Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(),
                new Class<?>[] {ClaimStore.class},
                (proxy, method, arguments) -> {
                  sweeps.countDown();
                  throw new IllegalStateException("a store that fails");
                });
    Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {});
    Sweeper sweeper = Sweeper.start("sweeper-test", store);
    try {
      assertThat(sweeps.await(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      sweeper.stop();
      Thread.setDefaultUncaughtExceptionHandler(handler);
    }
  }
}
