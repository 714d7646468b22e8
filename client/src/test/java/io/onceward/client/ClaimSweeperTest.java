package io.onceward.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.guard.ClaimStore;
import io.onceward.guard.StoreUnavailableException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClaimSweeperTest {
  private final AtomicInteger sweeps = new AtomicInteger();
  private final List<Throwable> failures =
      List.of(
          new IllegalStateException("a mistake"),
          new OutOfMemoryError("for a moment"),
          new StoreUnavailableException("away", null),
          new AssertionError("another mistake"));

  private int sweep() throws Throwable {
    int earlier = sweeps.getAndIncrement();
    if (earlier < failures.size()) {
      throw failures.get(earlier);
    }
    return 0;
  }

  /** Without sweeps nothing would ever run out. */
  @Test
  void failingSweepIsReportedAndFollowedByTheNext() {
    ClaimStore store =
        (ClaimStore)
            Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(),
                new Class<?>[] {ClaimStore.class},
                (proxy, method, arguments) -> sweep());
    Queue<Throwable> reported = new ConcurrentLinkedQueue<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> reported.add(failure));
    ClaimSweeper sweeper = ClaimSweeper.start(store, 1);
    try {
      Await.until("it sweeps again", () -> sweeps.get() > failures.size() + 1);
    } finally {
      sweeper.stop();
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(reported).containsExactly(failures.get(0), failures.get(1), failures.get(3));
  }
}
