package io.onceward.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** A moment as people write it: a day, which stands for its beginning in UTC, or an instant. */
final class MomentText {
  private static final int DAY_LENGTH = 10;

  private MomentText() {}

  /**
   * Reads {@code 2026-10-01} or {@code 2026-10-01T12:30:00Z}.
   *
   * @throws IllegalArgumentException if it is neither, or out of the range of log time
   */
  static Instant parse(String text) {
    try {
      Instant moment =
          text.length() == DAY_LENGTH
              ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
              : Instant.parse(text);
      // Log time is in milliseconds; an instant can be outside of what a long holds of them.
      return Instant.ofEpochMilli(moment.toEpochMilli());
    } catch (DateTimeException | ArithmeticException wrong) {
      throw new IllegalArgumentException(
          "a date is a day or a moment in UTC, such as 2026-10-01 or 2026-10-01T12:30:00Z, not \""
              + text
              + "\"",
          wrong);
    }
  }
}
