package io.onceward.guard;

import io.onceward.Key;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Makes texts of callers fit the limits of identities, such as a principal of any length. Two texts
 * never become one, and nobody can name himself like somebody else whose name was shortened: what
 * begins like a shortened text is shortened itself.
 */
public final class Fitting {
  private static final char MARK = '#';

  /** Mark, 128 bits in hexadecimal, blank. */
  private static final int DIGEST_LENGTH = 34;

  private Fitting() {}

  /**
   * The text itself if it fits, is well-formed and does not begin with {@code #}; otherwise {@code
   * #}, a digest of the whole, and for people as much of its beginning as there is room for.
   *
   * @param maxBytes of UTF-8, at least 34
   */
  public static String fit(String text, int maxBytes) {
    boolean reserved = !text.isEmpty() && text.charAt(0) == MARK;
    if (!reserved && text.length() <= maxBytes && isAscii(text)) {
      return text;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    boolean wellFormed = new String(utf8, StandardCharsets.UTF_8).equals(text);
    if (!reserved && wellFormed && utf8.length <= maxBytes) {
      return text;
    }
    Key digest =
        wellFormed ? Key.contentHash(utf8) : Key.contentHash(new byte[0], charByChar(text));
    return MARK
        + HexFormat.of().toHexDigits(digest.high())
        + HexFormat.of().toHexDigits(digest.low())
        + " "
        + cut(text, maxBytes - DIGEST_LENGTH);
  }

  /** Of a text that {@link #fit} gave, what people can read: all of it, or its beginning. */
  public static String shown(String fitted) {
    return !fitted.isEmpty() && fitted.charAt(0) == MARK
        ? fitted.substring(Math.min(DIGEST_LENGTH, fitted.length()))
        : fitted;
  }

  /** No charset tells lone surrogates apart. */
  private static byte[] charByChar(String text) {
    ByteBuffer chars = ByteBuffer.allocate(Math.multiplyExact(text.length(), Character.BYTES));
    chars.asCharBuffer().put(text);
    return chars.array();
  }

  /**
   * The longest beginning of the text, in whole characters, with {@code ?} for lone surrogates. For
   * what people read only: two texts may have one beginning.
   */
  public static String cut(String text, int maxBytes) {
    StringBuilder cut = new StringBuilder();
    int bytes = 0;
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      i += Character.charCount(point);
      boolean lone = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
      int shown = lone ? '?' : point;
      bytes += shown < 0x80 ? 1 : shown < 0x800 ? 2 : shown < 0x10000 ? 3 : 4;
      if (bytes > maxBytes) {
        break;
      }
      cut.appendCodePoint(shown);
    }
    return cut.toString();
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }
}
