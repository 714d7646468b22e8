package io.onceward;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;

/**
 * A {@link Key} as people see it. Every key prints, and what was printed parses to an equal key.
 *
 * <p>What looks like a printed id but is damaged is refused, rather than taken as a text key: a
 * mistyped digit of a UUID would otherwise silently name another request.
 */
final class PrintedKey {
  private static final String DATED = "d:";
  private static final String HASH = "h:";
  private static final String TEXT = "s:";
  private static final String TEXT_DIGEST = "s#";

  private static final String DATED_FORM = "d:2026-11-15T08:20:11.123456Z-0123456789abcdef";
  private static final int DATED_LENGTH = DATED_FORM.length();
  private static final int DATE_END = DATED_FORM.lastIndexOf('-');

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withResolverStyle(ResolverStyle.STRICT);

  private PrintedKey() {}

  static String print(Key key) {
    return switch (key.kind()) {
      case UUID -> new UUID(key.high(), key.low()).toString();
      case DATED -> DATED + date(key.high()) + '-' + HexFormat.of().toHexDigits(key.low());
      case HASH -> HASH + hex(key);
      case TEXT -> key.text() != null ? TEXT + key.text() : TEXT_DIGEST + hex(key);
    };
  }

  static Key parse(String printed) {
    if (printed.startsWith(DATED)) {
      return parseDated(printed);
    }
    if (printed.startsWith(HASH)) {
      return parseHex(Key.Kind.HASH, "a content hash", printed);
    }
    if (printed.startsWith(TEXT_DIGEST)) {
      return parseHex(Key.Kind.TEXT, "the digest of a text key", printed);
    }
    if (printed.startsWith(TEXT)) {
      return Key.text(printed.substring(TEXT.length()));
    }
    return hasShapeOfUuid(printed) ? parseUuid(printed) : Key.text(printed);
  }

  private static Key parseDated(String printed) {
    if (printed.length() != DATED_LENGTH || printed.charAt(DATE_END) != '-') {
      throw new IllegalArgumentException(
          "a dated id has the form " + DATED_FORM + ", got " + IdText.excerpt(printed));
    }
    long random = IdText.hex("the random part of a dated id", printed, DATE_END + 1, DATED_LENGTH);
    return Key.dated(parseDate(printed.substring(DATED.length(), DATE_END)), random);
  }

  private static Key parseHex(Key.Kind kind, String what, String printed) {
    int start = 2;
    if (printed.length() != start + 32) {
      throw new IllegalArgumentException(
          what
              + " is "
              + printed.substring(0, start)
              + " and 32 hexadecimal digits, got "
              + (printed.length() - start)
              + " characters in "
              + IdText.excerpt(printed));
    }
    long high = IdText.hex(what, printed, start, start + 16);
    long low = IdText.hex(what, printed, start + 16, start + 32);
    return Key.of(kind, high, low);
  }

  private static boolean hasShapeOfUuid(String printed) {
    return printed.length() == 36
        && printed.charAt(8) == '-'
        && printed.charAt(13) == '-'
        && printed.charAt(18) == '-'
        && printed.charAt(23) == '-';
  }

  /** {@link UUID#fromString} would also take groups of other lengths, and give them other bits. */
  private static Key parseUuid(String printed) {
    String what = "a UUID (write s: in front of a text that only looks like one)";
    long high =
        IdText.hex(what, printed, 0, 8) << 32
            | IdText.hex(what, printed, 9, 13) << 16
            | IdText.hex(what, printed, 14, 18);
    long low = IdText.hex(what, printed, 19, 23) << 48 | IdText.hex(what, printed, 24, 36);
    return Key.of(Key.Kind.UUID, high, low);
  }

  private static String date(long micros) {
    int nanos = (int) (micros % 1_000_000) * 1000;
    return DATE.format(LocalDateTime.ofEpochSecond(micros / 1_000_000, nanos, ZoneOffset.UTC));
  }

  private static long parseDate(String date) {
    try {
      LocalDateTime time = LocalDateTime.parse(date, DATE);
      return time.toEpochSecond(ZoneOffset.UTC) * 1_000_000 + time.getNano() / 1000;
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "the date of a dated id is UTC to the microsecond, like 2026-11-15T08:20:11.123456Z, got "
              + IdText.excerpt(date),
          e);
    }
  }

  private static String hex(Key key) {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(key.high()) + hex.toHexDigits(key.low());
  }
}
