package io.onceward.cli;

/** Two numbers of milliseconds, as in {@code 150-300}. */
record MillisRange(int least, int most) {

  /**
   * Reads a range.
   *
   * @throws IllegalArgumentException if it is none; the message says what is allowed
   */
  static MillisRange parse(String text) {
    int dash = text.indexOf('-');
    try {
      int least = Integer.parseInt(text.substring(0, Math.max(dash, 0)));
      int most = Integer.parseInt(text.substring(dash + 1));
      if (least > 0 && most > least) {
        return new MillisRange(least, most);
      }
    } catch (NumberFormatException notNumbers) {
      // Said below, as for numbers in the wrong order.
    }
    throw new IllegalArgumentException(
        "election times are two growing numbers of milliseconds, such as 150-300, not \""
            + text
            + "\"");
  }
}
