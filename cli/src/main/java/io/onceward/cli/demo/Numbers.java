package io.onceward.cli.demo;

import java.util.Locale;

/** Numbers as people read them. */
final class Numbers {
  private Numbers() {}

  static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Minutes and seconds. */
  static String clock(long millis) {
    long seconds = millis / 1_000;
    return String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
  }

  /** A latency with two digits or so; a dash if there is none. */
  static String latency(long micros) {
    if (micros <= 0) {
      return "-";
    }
    if (micros < 1_000) {
      return String.format(Locale.ROOT, "%.2f ms", micros / 1_000.0);
    }
    if (micros < 10_000) {
      return String.format(Locale.ROOT, "%.1f ms", micros / 1_000.0);
    }
    if (micros < 1_000_000) {
      return micros / 1_000 + " ms";
    }
    return String.format(Locale.ROOT, "%.1f s", micros / 1_000_000.0);
  }

  /** One thing or several. */
  static String count(long number, String one, String several) {
    return grouped(number) + " " + (number == 1 ? one : several);
  }
}
