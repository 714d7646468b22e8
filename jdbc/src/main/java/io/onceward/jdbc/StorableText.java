package io.onceward.jdbc;

/**
 * Texts on their way into a column. PostgreSQL stores no NUL, its driver turns half of a surrogate
 * pair into a question mark, and an index takes only so many bytes: where that would make two
 * requests one, it is refused.
 */
final class StorableText {
  /** A principal, a scope of at most 128 bytes and a key fit into one entry of an index. */
  static final int MAX_IDENTITY_CHARACTERS = 512;

  private StorableText() {}

  /**
   * Part of an identity.
   *
   * @throws IllegalArgumentException if PostgreSQL would not give back the same
   */
  static String exactly(String what, String text) {
    if (text.length() > MAX_IDENTITY_CHARACTERS) {
      throw new IllegalArgumentException(
          "a "
              + what
              + " has at most "
              + MAX_IDENTITY_CHARACTERS
              + " characters in PostgreSQL, got "
              + text.length());
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (c == 0 || Character.isSurrogate(c)) {
        throw new IllegalArgumentException(
            "PostgreSQL cannot store a "
                + what
                + " with the character U+"
                + String.format("%04X", (int) c));
      }
    }
    return text;
  }

  /** A text for people: what cannot be stored is replaced. */
  static String nearly(String text) {
    return text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
  }
}
