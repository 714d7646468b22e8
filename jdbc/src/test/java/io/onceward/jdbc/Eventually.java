package io.onceward.jdbc;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for conditions. */
final class Eventually {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Eventually() {}

  static void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("did not come true: " + what);
      }
      Thread.onSpinWait();
    }
  }
}
