package io.onceward.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions, not for times. */
final class Await {
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private Await() {}

  static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("waiting until %s", what).isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }

  static <T> T join(CompletableFuture<T> future) {
    return future.orTimeout(LONGEST.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** What the future fails with. */
  static <X extends Throwable> X failure(CompletableFuture<?> future, Class<X> kind) {
    Throwable thrown = catchThrowable(() -> join(future));
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    assertThat(cause).isInstanceOf(kind);
    return kind.cast(cause);
  }
}
