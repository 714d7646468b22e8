package io.onceward.cli;

/**
 * Words that somebody else chose, in a line for people. A line break or an escape sequence in a
 * name could forge a row of a table, or a line that says which run to resolve.
 */
final class OneLine {
  private OneLine() {}

  /** The text, with everything that is not printed written as an escape. */
  static String of(String text) {
    if (text.chars().noneMatch(OneLine::moves)) {
      return text;
    }
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!moves(c)) {
        line.append(c);
      } else if (c == '\n') {
        line.append("\\n");
      } else if (c == '\r') {
        line.append("\\r");
      } else if (c == '\t') {
        line.append("\\t");
      } else {
        line.append(String.format("\\u%04x", (int) c));
      }
    }
    return line.toString();
  }

  /** Controls, line and paragraph separators, and marks that turn the direction of writing. */
  private static boolean moves(int c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }
}
