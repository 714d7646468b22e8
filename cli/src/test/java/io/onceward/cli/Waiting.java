package io.onceward.cli;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another process or thread does. */
final class Waiting {
  private Waiting() {}

  static void until(Duration most, BooleanSupplier condition) {
    long deadline = System.nanoTime() + most.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("still not so after " + most);
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }
}
