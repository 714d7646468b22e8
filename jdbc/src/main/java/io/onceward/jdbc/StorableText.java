package io.onceward.jdbc;

/**
 * Texts on their way into a column. PostgreSQL stores no NUL; where replacing it would make two
 * requests one, it is refused.
 */
final class StorableText {
  private StorableText() {}

  /**
   * Part of an identity.
   *
   * @throws IllegalArgumentException if PostgreSQL cannot store it
   */
  static String exactly(String what, String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "PostgreSQL cannot store a " + what + " with the character U+0000");
    }
    return text;
  }

  /** A text for people: what cannot be stored is replaced. */
  static String nearly(String text) {
    return text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
  }
}
