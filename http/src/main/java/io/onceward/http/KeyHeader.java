package io.onceward.http;

import io.onceward.Key;
import io.onceward.guard.GuardedId;

/**
 * Reads the value of an {@code Idempotency-Key} header: a string item of RFC 8941, {@code "…"}, or
 * what most clients send, the bare key. Both spell the same key.
 *
 * <p>Parameters after a string item are checked for form and ignored, as the RFC asks of those that
 * one does not know. After a bare key they are refused: there the semicolon could as well belong to
 * the key, and two requests would share one.
 *
 * <p>A key in the shape of a UUID is a UUID key, one in the shape of a dated id of this project is
 * a dated key, so that both keep what their date protects them from (K5). Everything else is a text
 * key.
 */
public final class KeyHeader {
  public static final String NAME = "Idempotency-Key";

  /** The header that marks an answer as a replay, with the value {@code true}. */
  public static final String REPLAYED = "Idempotent-Replayed";

  /** In characters: only ASCII is allowed here. */
  static final int MAX_LENGTH = GuardedId.MAX_SPELLED_KEY_BYTES;

  private KeyHeader() {}

  /**
   * The key that the header names.
   *
   * @throws MalformedKeyException if it names none; the message says why, for the caller
   */
  public static Key parse(String value) throws MalformedKeyException {
    return GuardedId.keyOf(text(value));
  }

  /** The characters of the key, without quotes, escapes and parameters. */
  static String text(String value) throws MalformedKeyException {
    int from = 0;
    int to = value.length();
    while (from < to && isBlank(value.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(value.charAt(to - 1))) {
      to--;
    }
    if (from == to) {
      throw new MalformedKeyException("it is empty");
    }
    String text = value.charAt(from) == '"' ? quoted(value, from, to) : bare(value, from, to);
    if (text.isEmpty()) {
      throw new MalformedKeyException("it is empty");
    }
    if (text.length() > MAX_LENGTH) {
      throw new MalformedKeyException(
          "it has " + text.length() + " characters, at most " + MAX_LENGTH + " are allowed");
    }
    return text;
  }

  private static String bare(String value, int from, int to) throws MalformedKeyException {
    for (int i = from; i < to; i++) {
      char c = value.charAt(i);
      if (c <= ' ' || c > '~' || c == '"' || c == ',' || c == ';' || c == '\\') {
        throw new MalformedKeyException(
            "a key without quotes is one word of visible ASCII characters without"
                + " \" , ; and \\, but character "
                + (i - from + 1)
                + " is "
                + shown(c));
      }
    }
    return value.substring(from, to);
  }

  private static String quoted(String value, int from, int to) throws MalformedKeyException {
    StringBuilder text = new StringBuilder(to - from);
    int i = endOfString(value, from, to, text);
    while (i < to) {
      i = endOfParameter(value, i, to);
    }
    return text.toString();
  }

  /** Reads the string that opens at {@code from}; returns the index after its closing quote. */
  private static int endOfString(String value, int from, int to, StringBuilder text)
      throws MalformedKeyException {
    for (int i = from + 1; i < to; i++) {
      char c = value.charAt(i);
      if (c == '"') {
        return i + 1;
      }
      if (c == '\\') {
        i++;
        if (i == to || (value.charAt(i) != '"' && value.charAt(i) != '\\')) {
          throw new MalformedKeyException("a backslash stands only before \" and \\");
        }
        c = value.charAt(i);
      } else if (c < ' ' || c > '~') {
        throw new MalformedKeyException(
            "a quoted key has only printable ASCII characters, but one is " + shown(c));
      }
      text.append(c);
    }
    throw new MalformedKeyException("its closing quote is missing");
  }

  /** Reads {@code ;name} or {@code ;name=value}; returns the index after it. */
  private static int endOfParameter(String value, int from, int to) throws MalformedKeyException {
    if (value.charAt(from) != ';') {
      throw new MalformedKeyException(
          "after the closing quote comes only a parameter, but there is "
              + shown(value.charAt(from)));
    }
    int i = from + 1;
    while (i < to && value.charAt(i) == ' ') {
      i++;
    }
    int name = i;
    while (i < to && isParameterName(value.charAt(i), i == name)) {
      i++;
    }
    if (i == name) {
      throw new MalformedKeyException("a parameter has no name, or not one of RFC 8941");
    }
    if (i == to || value.charAt(i) != '=') {
      return i;
    }
    i++;
    if (i < to && value.charAt(i) == '"') {
      return endOfString(value, i, to, new StringBuilder());
    }
    int start = i;
    while (i < to && value.charAt(i) > ' ' && value.charAt(i) <= '~' && !ends(value.charAt(i))) {
      i++;
    }
    if (i == start) {
      throw new MalformedKeyException("a parameter has no value after its =");
    }
    return i;
  }

  private static boolean isParameterName(char c, boolean first) {
    return (c >= 'a' && c <= 'z')
        || c == '*'
        || (!first && ((c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.'));
  }

  private static boolean ends(char c) {
    return c == ';' || c == ',' || c == '"' || c == '\\';
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private static String shown(char c) {
    return c > ' ' && c <= '~' ? "'" + c + "'" : "U+" + String.format("%04X", (int) c);
  }
}
