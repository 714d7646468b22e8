package io.onceward.client;

import java.time.Duration;

/** Times as callers give them, however long, in numbers that can be added without overflow. */
final class Millis {
  /** Longer than anyone waits: 35,000 years. */
  private static final long MOST = 1L << 50;

  private Millis() {}

  static long of(Duration duration) {
    long seconds = Math.max(-MOST / 1000, Math.min(MOST / 1000, duration.getSeconds()));
    return seconds * 1000 + duration.getNano() / 1_000_000;
  }

  /** When a wait ends that begins now. */
  static long after(long nowMillis, Duration wait) {
    return nowMillis + of(wait);
  }
}
