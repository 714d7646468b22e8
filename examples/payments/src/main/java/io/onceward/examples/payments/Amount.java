package io.onceward.examples.payments;

/** How much may move: a negative transfer would take the money of the one who is to get it. */
final class Amount {
  private Amount() {}

  /**
   * Looks at an amount while the body of a request is read, so that a wrong one is answered with
   * 400, nothing runs, and the key stays free.
   */
  static void check(long cents) {
    if (cents < 1) {
      throw new IllegalArgumentException("the amount is at least 1 cent, not " + cents);
    }
  }
}
