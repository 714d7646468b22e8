package io.onceward.testkit.audit;

import io.onceward.testkit.audit.Events.Healed;

/** When all faults have ended, every request that is still retried is decided before long (C1). */
public final class EveryoneIsDecidedAfterHealing extends Invariant {

  @Override
  protected void healed(Healed healed) {
    checkNone(healed.undecided(), "requests wait for ever");
  }
}
