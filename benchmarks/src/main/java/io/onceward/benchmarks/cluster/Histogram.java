package io.onceward.benchmarks.cluster;

import java.util.StringJoiner;

/**
 * How often each duration occurred. A duration is kept to within one part in 128, whatever its
 * size, so percentiles are as exact as anybody needs them and adding takes no memory.
 */
final class Histogram {
  /** Durations below 2 to the power of this plus one are kept exactly. */
  private static final int BITS = 7;

  private static final int EXACT = 2 << BITS;
  private static final int BUCKETS = (Long.SIZE - 1 - BITS << BITS) + EXACT;

  private final long[] counts = new long[BUCKETS];
  private long count;

  /** Adds one duration; a negative one counts as nothing. */
  void add(long nanos) {
    counts[bucketOf(Math.max(0, nanos))]++;
    count++;
  }

  void addAll(Histogram other) {
    for (int i = 0; i < BUCKETS; i++) {
      counts[i] += other.counts[i];
    }
    count += other.count;
  }

  long count() {
    return count;
  }

  /**
   * The least duration that is not exceeded by the given part of all.
   *
   * @param part from 0 to 1; 0.5 gives the median
   */
  long percentile(double part) {
    if (count == 0) {
      throw new IllegalStateException("no duration was added");
    }
    long rank = Math.max(1, (long) Math.ceil(part * count));
    long seen = 0;
    for (int i = 0; i < BUCKETS; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return middleOf(i);
      }
    }
    throw new IllegalStateException("the buckets hold " + seen + " durations, not " + count);
  }

  private static int bucketOf(long nanos) {
    if (nanos < EXACT) {
      return (int) nanos;
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - BITS;
    return (shift << BITS) + (int) (nanos >>> shift);
  }

  private static long middleOf(int bucket) {
    if (bucket < EXACT) {
      return bucket;
    }
    int shift = (bucket >> BITS) - 1;
    long least = (long) (bucket - (shift << BITS)) << shift;
    return least + (1L << shift >> 1);
  }

  /** What {@link #parse} reads; without spaces. */
  String print() {
    StringJoiner text = new StringJoiner(",");
    for (int i = 0; i < BUCKETS; i++) {
      if (counts[i] != 0) {
        text.add(i + ":" + counts[i]);
      }
    }
    return text.toString();
  }

  static Histogram parse(String text) {
    Histogram histogram = new Histogram();
    if (text.isEmpty()) {
      return histogram;
    }
    for (String pair : text.split(",", -1)) {
      int colon = pair.indexOf(':');
      long times = Long.parseLong(pair.substring(colon + 1));
      histogram.counts[Integer.parseInt(pair.substring(0, colon))] += times;
      histogram.count += times;
    }
    return histogram;
  }
}
