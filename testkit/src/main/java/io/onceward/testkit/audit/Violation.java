package io.onceward.testkit.audit;

/** A promise was broken: which one, and what happened. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String invariant;

  public Violation(String invariant, String whatHappened) {
    super(invariant + ": " + whatHappened);
    this.invariant = invariant;
  }

  /** The name of the invariant that does not hold. */
  public String invariant() {
    return invariant;
  }
}
