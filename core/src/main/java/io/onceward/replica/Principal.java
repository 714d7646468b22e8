package io.onceward.replica;

/** Who owns sessions and keys, and how much memory they account for (K6, L3). */
final class Principal {
  final int number;
  final String name;
  int sessions;
  long bytes;

  /** Whom all names of this one have meant since it became another name; itself until then. */
  Principal successor = this;

  Principal(int number, String name) {
    this.number = number;
    this.name = name;
  }

  /** Whether this principal was entered because it owns, or once owned, a session or a key. */
  boolean isEntered() {
    return number != 0;
  }
}
