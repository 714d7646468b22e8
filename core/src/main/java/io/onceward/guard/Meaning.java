package io.onceward.guard;

/** What an exception of an effect means. Only the user can know; the guard never guesses. */
public enum Meaning {
  /**
   * The effect was refused for a reason of its own domain: remembered, and given to every retry.
   */
  BUSINESS_ERROR,
  /** Nothing happened and nothing can still happen: the id is free, a retry runs the effect. */
  DID_NOT_HAPPEN,
  /** Nobody can tell. What every exception means that was not given a meaning (G2). */
  UNKNOWN
}
