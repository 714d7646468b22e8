package io.onceward.guard;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves when it is told to. In this package, since the store's clock is its own. */
final class HandClock implements StoreClock {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);
  private final AtomicLong wallMillis = new AtomicLong(System.currentTimeMillis());

  void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
    wallMillis.addAndGet(time.toMillis());
  }

  /** Somebody sets the clock of the machine; no time passes. */
  void setWall(Duration by) {
    wallMillis.addAndGet(by.toMillis());
  }

  @Override
  public long nanos() {
    return nanos.get();
  }

  @Override
  public long wallMillis() {
    return wallMillis.get();
  }
}
