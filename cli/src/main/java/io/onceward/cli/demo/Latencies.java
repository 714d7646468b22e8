package io.onceward.cli.demo;

/**
 * How long requests took, in microseconds, counted in buckets that are at most a sixteenth wide: as
 * exact as a person can read, and small enough to be sent along with every report.
 */
final class Latencies {
  private static final int STEPS = 16;
  private static final int STEP_BITS = 4;
  private static final int BUCKETS = STEPS * (Long.SIZE - STEP_BITS);

  private final long[] counts = new long[BUCKETS];
  private long total;

  void add(long micros) {
    count(bucket(Math.max(0, micros)), 1);
  }

  void addAll(Latencies others) {
    for (int i = 0; i < BUCKETS; i++) {
      counts[i] += others.counts[i];
    }
    total += others.total;
  }

  private void count(int bucket, long more) {
    counts[bucket] += more;
    total += more;
  }

  long total() {
    return total;
  }

  /**
   * What this part of the requests did not exceed.
   *
   * @param part from 0 to 1; 0.99 for the time that one in a hundred exceeds
   * @return in microseconds; 0 if nothing was counted
   */
  long percentile(double part) {
    long rank = Math.max(1, (long) Math.ceil(part * total));
    long seen = 0;
    for (int i = 0; i < BUCKETS && total > 0; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return most(i);
      }
    }
    return 0;
  }

  private static int bucket(long micros) {
    int above = Long.SIZE - STEP_BITS - 1 - Long.numberOfLeadingZeros(micros | STEPS);
    return above * STEPS + (int) (micros >>> above);
  }

  /** The greatest value that falls into the bucket. */
  private static long most(int bucket) {
    if (bucket < 2 * STEPS) {
      return bucket;
    }
    int above = bucket / STEPS - 1;
    return ((bucket - above * (long) STEPS + 1) << above) - 1;
  }

  /** All counts as text: {@code bucket:count}, separated by commas, {@code -} if there are none. */
  String print() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < BUCKETS; i++) {
      if (counts[i] > 0) {
        text.append(text.isEmpty() ? "" : ",").append(i).append(':').append(counts[i]);
      }
    }
    return text.isEmpty() ? "-" : text.toString();
  }

  /**
   * Reads what {@link #print} printed.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static Latencies parse(String text) {
    Latencies latencies = new Latencies();
    if (text.equals("-")) {
      return latencies;
    }
    for (String pair : text.split(",", -1)) {
      int colon = pair.indexOf(':');
      if (colon < 1) {
        throw new IllegalArgumentException("no counted latencies: " + text);
      }
      int bucket = Integer.parseInt(pair.substring(0, colon));
      if (bucket < 0 || bucket >= BUCKETS) {
        throw new IllegalArgumentException("there is no bucket " + bucket + ": " + text);
      }
      latencies.count(bucket, Long.parseLong(pair.substring(colon + 1)));
    }
    return latencies;
  }
}
