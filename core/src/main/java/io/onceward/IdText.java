package io.onceward;

import java.nio.charset.StandardCharsets;

/**
 * What ids may be written with, and how they are refused. The limit is counted in bytes, since that
 * is what a name costs on the wire and in a table.
 */
public final class IdText {
  /** The most that a text key or the name of a scope may take in UTF-8 (K1). */
  static final int MAX_BYTES = 128;

  private static final int EXCERPT_CHARACTERS = 48;

  private IdText() {}

  /** The bytes of a text of {@code minBytes} to {@link #MAX_BYTES} bytes. */
  static byte[] utf8(String what, String text, int minBytes) {
    return utf8(what, text, minBytes, MAX_BYTES);
  }

  /**
   * The bytes of a text that names something.
   *
   * @param what how the message calls it
   * @throws IllegalArgumentException if it is shorter or longer, or has a lone surrogate, which
   *     UTF-8 cannot express
   */
  public static byte[] utf8(String what, String text, int minBytes, int maxBytes) {
    // Counted first, so that a text of any length costs no memory before it is refused.
    long bytes = countUtf8(what, text);
    if (bytes < minBytes) {
      throw new IllegalArgumentException(
          what + " must not be empty; allowed are " + minBytes + " to " + maxBytes + " bytes");
    }
    if (bytes > maxBytes) {
      throw new IllegalArgumentException(
          what
              + " may take at most "
              + maxBytes
              + " bytes in UTF-8, got "
              + bytes
              + " in "
              + excerpt(text));
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The bytes of a text of any length.
   *
   * @throws IllegalArgumentException if it has a lone surrogate, which UTF-8 cannot express
   */
  public static byte[] utf8(String what, String text) {
    countUtf8(what, text);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Lone surrogates have no UTF-8. {@link String#getBytes} would write a question mark for each,
   * and texts that differ would become one.
   */
  private static long countUtf8(String what, String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes += 1;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (isPairAt(text, i)) {
        bytes += 4;
        i++;
      } else {
        throw new IllegalArgumentException(
            what
                + " must be well-formed Unicode, got a lone surrogate at index "
                + i
                + " in "
                + excerpt(text));
      }
    }
    return bytes;
  }

  private static boolean isPairAt(String text, int i) {
    return i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
  }

  /** The number that the digits from {@code start} to {@code end} spell, in upper or lower case. */
  static long hex(String what, String text, int start, int end) {
    long number = 0;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      // Character.digit alone would take the digits of every script.
      int digit = c < 0x80 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        throw new IllegalArgumentException(
            what
                + " is written in hexadecimal digits (0-9, a-f), got "
                + excerpt(String.valueOf(c))
                + " at index "
                + i
                + " in "
                + excerpt(text));
      }
      number = number << 4 | digit;
    }
    return number;
  }

  /** The text in quotes for a message: cut if long, on one line and in plain ASCII. */
  static String excerpt(String text) {
    StringBuilder excerpt = new StringBuilder().append('"');
    int shown = Math.min(text.length(), EXCERPT_CHARACTERS);
    for (int i = 0; i < shown; i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c <= '~') {
        excerpt.append(c);
      } else {
        excerpt.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
      }
    }
    excerpt.append('"');
    if (shown < text.length()) {
      excerpt.append("... (").append(text.length()).append(" characters)");
    }
    return excerpt.toString();
  }
}
