package io.onceward.testkit.audit;

import io.onceward.testkit.audit.Events.Healed;

/** When all faults have ended, every request that is still retried is decided before long (C1). */
public final class EveryoneIsDecidedAfterHealing extends Invariant {

  @Override
  protected void healed(Healed healed) {
    check(healed.undecided().isEmpty(), "requests wait for ever", healed.undecided());
  }
}
