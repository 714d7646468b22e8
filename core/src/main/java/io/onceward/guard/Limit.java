package io.onceward.guard;

import java.util.Objects;

/** Checks texts against their limits before anything is stored (L1). */
final class Limit {
  private Limit() {}

  /**
   * Lone surrogates are refused: UTF-8 has no bytes for them, so a store that writes UTF-8 would
   * take two texts for one.
   */
  static void check(String what, String text, int maxBytes) {
    Objects.requireNonNull(text, what);
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        if (!Character.isSurrogate(c)) {
          bytes += c < 0x800 ? 1 : 2;
        } else if (i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1))) {
          bytes += 2;
          i++;
        } else {
          throw new IllegalArgumentException(
              what + " is well-formed Unicode, got a lone surrogate at index " + i);
        }
      }
    }
    if (bytes > maxBytes) {
      throw new IllegalArgumentException(
          what + " has at most " + maxBytes + " bytes of UTF-8, got " + bytes);
    }
  }
}
