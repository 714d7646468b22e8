package io.onceward.torture.hostile;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;

/**
 * How long requests took in some seconds.
 *
 * @param p50 in milliseconds, as the next
 * @param perSecond how many were answered per second
 */
record Latencies(double p50, double p99, double perSecond) {

  /**
   * @param nanos of each request; they are sorted by this
   * @param tookNanos how long it was until the last of them was answered
   */
  static Latencies of(long[] nanos, long tookNanos) {
    Arrays.sort(nanos);
    return new Latencies(
        nanos[nanos.length / 2] / 1e6,
        nanos[Math.min(nanos.length - 1, nanos.length * 99 / 100)] / 1e6,
        nanos.length / (tookNanos / 1e9));
  }

  /** That with the median p99; of an even number of them, the faster of the two. */
  static Latencies middle(Collection<Latencies> several) {
    return several.stream()
        .sorted(Comparator.comparingDouble(Latencies::p99))
        .skip((several.size() - 1) / 2)
        .findFirst()
        .orElseThrow();
  }
}
