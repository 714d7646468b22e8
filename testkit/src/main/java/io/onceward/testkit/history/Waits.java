package io.onceward.testkit.history;

import java.util.Arrays;

/**
 * Counts waits by their length: exactly below 32 µs, above that in steps of a thirty-second of the
 * next lower power of two. Grows with the longest wait, not with their number.
 */
final class Waits {
  private static final int STEP_BITS = 5;
  private static final int STEPS = 1 << STEP_BITS;

  private int[] counts = {};
  private long count;
  private long longest = -1;

  void add(long micros) {
    int place = place(micros);
    if (place >= counts.length) {
      counts = Arrays.copyOf(counts, place + STEPS);
    }
    counts[place]++;
    count++;
    longest = Math.max(longest, micros);
  }

  /** The wait that so many percent of them do not exceed, in the middle of its step; -1 if none. */
  long share(int percent) {
    long rank = Math.max(1, (count * percent + 99) / 100);
    long seen = 0;
    for (int place = 0; place < counts.length; place++) {
      seen += counts[place];
      if (seen >= rank) {
        return Math.min(longest, middle(place));
      }
    }
    return -1;
  }

  long longest() {
    return longest;
  }

  private static int place(long micros) {
    int above = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(micros) - STEP_BITS - 1);
    return above * STEPS + (int) (micros >>> above);
  }

  private static long middle(int place) {
    int above = Math.max(0, place / STEPS - 1);
    long least = (long) (place - above * STEPS) << above;
    return least + ((1L << above) >> 1);
  }
}
