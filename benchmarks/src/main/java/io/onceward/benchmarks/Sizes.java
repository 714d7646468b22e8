package io.onceward.benchmarks;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How much is measured, and how often.
 *
 * @param sessions sessions in the session tables
 * @param keys keys in the large key tables
 * @param fewKeys keys in the small key tables, from which growth is counted
 * @param passes how often experiments are run, each time in a new JVM
 * @param rounds how often a time is taken in one JVM
 * @param requests requests in one round
 * @param heapMegabytes the heap of each JVM
 */
record Sizes(
    int sessions, int keys, int fewKeys, int passes, int rounds, int requests, int heapMegabytes) {

  /** What the targets speak of. */
  static final Sizes STANDARD = new Sizes(1_000_000, 10_000_000, 10_000, 2, 3, 500_000, 6 * 1024);

  /** A tenth of it. */
  static final Sizes QUICK = new Sizes(100_000, 1_000_000, 10_000, 1, 3, 300_000, 2 * 1024);

  private static final int COMPONENTS = 7;

  /** Reads what {@link #argument} printed. */
  static Sizes parse(String argument) {
    int[] values = Arrays.stream(argument.split(",", -1)).mapToInt(Integer::parseInt).toArray();
    if (values.length != COMPONENTS) {
      throw new IllegalArgumentException(
          "sizes are " + COMPONENTS + " numbers, got " + values.length);
    }
    return new Sizes(values[0], values[1], values[2], values[3], values[4], values[5], values[6]);
  }

  /** These sizes as one argument for another JVM. */
  String argument() {
    return IntStream.of(sessions, keys, fewKeys, passes, rounds, requests, heapMegabytes)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(","));
  }
}
