package io.onceward.guard;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Checks texts against their limits before anything is stored (L1). */
final class Limit {
  private Limit() {}

  static void check(String what, String text, int maxBytes) {
    Objects.requireNonNull(text, what);
    if (text.length() > maxBytes
        || text.length() * 3L > maxBytes
            && text.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
      throw new IllegalArgumentException(
          what
              + " has at most "
              + maxBytes
              + " bytes of UTF-8, got "
              + text.length()
              + " characters");
    }
  }
}
