package io.onceward.client;

/** Something to be told to a caller, when no lock is held any more. */
@FunctionalInterface
interface Told {
  void tell();
}
