package io.onceward.torture.hostile;

/** A fixed amount of harm, done {@link Siege#STRIKES_PER_SECOND} times a second. */
@FunctionalInterface
interface Strike {
  void now();
}
