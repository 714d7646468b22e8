package io.onceward.benchmarks;

import com.google.common.base.Ticker;
import java.util.function.LongSupplier;

/** Lets Guava tell time by the log. */
final class LogTicker extends Ticker {
  private final LongSupplier nanos;

  LogTicker(LongSupplier nanos) {
    this.nanos = nanos;
  }

  @Override
  public long read() {
    return nanos.getAsLong();
  }
}
