package io.onceward.http;

import io.onceward.Key;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Makes texts of requests fit the limits of identities: what is too long keeps its beginning, for
 * people, and gets a digest of the whole, so that two long ones never become one.
 */
final class Fitting {
  /** The limit of {@link io.onceward.Scope}. */
  static final int MAX_SCOPE_BYTES = 128;

  private static final int DIGEST_LENGTH = 34; // "#" and a hash of 128 bits, with a letter in front

  private Fitting() {}

  static String fit(String text, int maxBytes) {
    if (isAscii(text) && text.length() <= maxBytes) {
      return text;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    boolean wellFormed = new String(utf8, StandardCharsets.UTF_8).equals(text);
    if (wellFormed && utf8.length <= maxBytes) {
      return text;
    }
    // Char by char: no charset tells lone surrogates apart.
    ByteBuffer chars = ByteBuffer.allocate(text.length() * Character.BYTES);
    chars.asCharBuffer().put(text);
    Key digest = Key.contentHash(chars.array());
    return cut(text, maxBytes - DIGEST_LENGTH)
        + "#h"
        + HexFormat.of().toHexDigits(digest.high())
        + HexFormat.of().toHexDigits(digest.low());
  }

  /** The longest beginning of the text, in whole characters and without lone surrogates. */
  static String cut(String text, int maxBytes) {
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
