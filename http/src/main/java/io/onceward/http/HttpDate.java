package io.onceward.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Dates in headers, as RFC 9110 has them. */
final class HttpDate {
  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private HttpDate() {}

  static String of(long millis) {
    return FORM.format(Instant.ofEpochMilli(millis));
  }
}
