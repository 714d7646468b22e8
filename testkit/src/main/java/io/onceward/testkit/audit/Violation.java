package io.onceward.testkit.audit;

import java.util.ArrayList;
import java.util.List;

/** A promise was broken: which one, and what happened. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String invariant;
  private final ArrayList<String> findings;

  public Violation(String invariant, String whatHappened) {
    this(invariant, whatHappened, List.of());
  }

  /** A promise that was broken many times at once. */
  public Violation(String invariant, String whatHappened, List<String> findings) {
    super(invariant + ": " + whatHappened);
    this.invariant = invariant;
    this.findings = new ArrayList<>(findings);
  }

  /** Each case, if there are many; empty if the message says it all. */
  public List<String> findings() {
    return List.copyOf(findings);
  }

  /** The name of the invariant that does not hold. */
  public String invariant() {
    return invariant;
  }
}
