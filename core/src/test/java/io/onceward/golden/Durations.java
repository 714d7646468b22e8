package io.onceward.golden;

import java.util.Locale;

/** Spans and moments as scripts write them: {@code 1h30m}, {@code day 2 03:00:00}. */
final class Durations {
  /** When every script begins, day 0: 2026-01-01T00:00:00Z. */
  static final long BEGINNING_MILLIS = 1_767_225_600_000L;

  private static final String[] UNITS = {"y", "d", "h", "m", "s", "ms"};
  private static final long[] UNIT_MILLIS = {
    365L * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000, 1
  };

  private Durations() {}

  /** Reads {@code 10s}, {@code 5m10s}, {@code 1y}. */
  static long parse(String text) {
    long millis = 0;
    int at = 0;
    while (at < text.length()) {
      int digits = at;
      while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
        digits++;
      }
      int end = digits;
      while (end < text.length() && Character.isLetter(text.charAt(end))) {
        end++;
      }
      if (digits == at || end == digits) {
        throw new ScriptException("not a span of time such as 1h30m: " + text);
      }
      millis += Long.parseLong(text.substring(at, digits)) * unit(text.substring(digits, end));
      at = end;
    }
    if (text.isEmpty()) {
      throw new ScriptException("an empty span of time");
    }
    return millis;
  }

  private static long unit(String name) {
    for (int i = 0; i < UNITS.length; i++) {
      if (UNITS[i].equals(name)) {
        return UNIT_MILLIS[i];
      }
    }
    throw new ScriptException("no unit of time is called " + name + "; y d h m s ms are");
  }

  static String print(long millis) {
    if (millis == 0) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    long rest = millis;
    for (int i = 1; i < UNITS.length; i++) {
      long count = rest / UNIT_MILLIS[i];
      if (count > 0) {
        text.append(count).append(UNITS[i]);
        rest -= count * UNIT_MILLIS[i];
      }
    }
    return text.toString();
  }

  /** A moment, counted from the beginning of the script. */
  static String printMoment(long millis) {
    long since = millis - BEGINNING_MILLIS;
    long day = Math.floorDiv(since, 86_400_000L);
    long inDay = Math.floorMod(since, 86_400_000L);
    String text =
        String.format(
            Locale.ROOT,
            "day %d %02d:%02d:%02d",
            day,
            inDay / 3_600_000,
            inDay / 60_000 % 60,
            inDay / 1000 % 60);
    return inDay % 1000 == 0 ? text : text + String.format(Locale.ROOT, ".%03d", inDay % 1000);
  }

  static String printMicros(long micros) {
    String text = printMoment(Math.floorDiv(micros, 1000L));
    long rest = Math.floorMod(micros, 1000L);
    return rest == 0 ? text : text + " and " + rest + " microseconds";
  }
}
