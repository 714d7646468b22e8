package io.onceward.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A duration as people write it: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 24h}, {@code 30d}.
 */
final class DurationText {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

  private DurationText() {}

  /**
   * Reads a duration greater than zero.
   *
   * @throws IllegalArgumentException if it is none; the message says what is allowed
   */
  static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (matcher.matches()) {
      long count = Long.parseLong(matcher.group(1));
      Duration duration =
          switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
          };
      if (!duration.isZero()) {
        return duration;
      }
    }
    throw new IllegalArgumentException(
        "a duration is a whole number above 0 and ms, s, m, h or d, such as 500ms, 10s or 30d, not \""
            + text
            + "\"");
  }

  /** In the largest unit in which it is a whole number, so that it can be read back. */
  static String exact(long millis) {
    if (millis == 0 || millis % 1_000 != 0) {
      return millis + "ms";
    }
    if (millis % 60_000 != 0) {
      return millis / 1_000 + "s";
    }
    if (millis % 3_600_000 != 0) {
      return millis / 60_000 + "m";
    }
    return millis % 86_400_000 == 0 ? millis / 86_400_000 + "d" : millis / 3_600_000 + "h";
  }

  /** About how long: the largest unit of which there is at least one, and nothing smaller. */
  static String print(long millis) {
    if (millis < 1_000) {
      return millis + "ms";
    }
    if (millis < 60_000) {
      return millis / 1_000 + "s";
    }
    if (millis < 3_600_000) {
      return millis / 60_000 + "m";
    }
    return millis < 86_400_000 ? millis / 3_600_000 + "h" : millis / 86_400_000 + "d";
  }
}
