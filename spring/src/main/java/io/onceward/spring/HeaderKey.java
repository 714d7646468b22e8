package io.onceward.spring;

import io.onceward.Key;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads a key as people and programs write it: in a header as a string in quotes (RFC 8941) or as a
 * bare word, elsewhere as it is. What looks like a UUID or a dated id is one, so that its date
 * counts (K5).
 */
final class HeaderKey {
  private static final int MAX_LENGTH = 128;
  private static final String UUID_SHAPE =
      "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";

  private HeaderKey() {}

  /**
   * The key in a header.
   *
   * @throws IllegalArgumentException if it names none; the message says why
   */
  static Key parse(String header) {
    String value = header.strip();
    String text = value.startsWith("\"") ? quoted(value) : bare(value);
    if (text.isEmpty()) {
      throw new IllegalArgumentException("the key is empty");
    }
    if (text.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "the key has " + text.length() + " characters, at most " + MAX_LENGTH + " are allowed");
    }
    return spelled(text);
  }

  private static String bare(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c <= ' ' || c > '~' || "\",;\\".indexOf(c) >= 0) {
        throw new IllegalArgumentException(
            "a key without quotes is one word of visible ASCII characters without \" , ; and \\");
      }
    }
    return value;
  }

  private static String quoted(String value) {
    StringBuilder text = new StringBuilder(value.length());
    for (int i = 1; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"') {
        if (i != value.length() - 1) {
          throw new IllegalArgumentException("nothing may follow the closing quote of a key");
        }
        return text.toString();
      }
      if (c == '\\') {
        i++;
        if (i == value.length() || "\"\\".indexOf(value.charAt(i)) < 0) {
          throw new IllegalArgumentException("a backslash stands only before \" and \\");
        }
        c = value.charAt(i);
      } else if (c < ' ' || c > '~') {
        throw new IllegalArgumentException("a quoted key has only printable ASCII characters");
      }
      text.append(c);
    }
    throw new IllegalArgumentException("the closing quote of the key is missing");
  }

  /** The key that an expression gave, or null if it gave none. */
  static @Nullable Key of(@Nullable Object value) {
    if (value == null || value instanceof Key) {
      return (Key) value;
    }
    if (value instanceof UUID uuid) {
      return Key.uuid(uuid);
    }
    if (value instanceof CharSequence || value instanceof Number) {
      String text = value.toString();
      if (text.isEmpty()) {
        throw new IllegalArgumentException("the key is empty");
      }
      return spelled(text);
    }
    throw new IllegalArgumentException(
        "a key is a text, a UUID, a number or a Key, got a " + value.getClass().getName());
  }

  private static Key spelled(String text) {
    if (text.matches(UUID_SHAPE)) {
      return Key.uuid(UUID.fromString(text));
    }
    if (text.startsWith("d:")) {
      try {
        return Key.parse(text);
      } catch (IllegalArgumentException e) {
        return Key.text(text);
      }
    }
    return Key.text(text);
  }
}
