package io.onceward.torture.report;

import java.util.Locale;

/** Writes markup. Whatever comes from a run goes through {@link #text}. */
final class Html {
  private final StringBuilder out = new StringBuilder();

  /** Markup, of this program. */
  Html raw(String markup) {
    out.append(markup);
    return this;
  }

  /** Text, of anybody. */
  Html text(String text) {
    out.append(escaped(text));
    return this;
  }

  Html number(long number) {
    return text(grouped(number));
  }

  static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A moment or a length of the run, as minutes and seconds. */
  static String clock(long millis) {
    return String.format(
        Locale.ROOT, "%d:%04.1f", millis / 60_000, Math.floor(millis % 60_000 / 100.0) / 10);
  }

  static String escaped(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      switch (next) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.append(next);
      }
    }
    return safe.toString();
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
