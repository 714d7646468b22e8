package io.onceward.guard;

import io.onceward.testkit.stores.OutcomeContract;
import java.time.Duration;

/** The memory store tells outcomes, abandons, releases replies and forgets as the others do. */
class MemoryStoreOutcomesTest extends OutcomeContract {
  private final HandClock clock = new HandClock();

  @Override
  protected ClaimStore freshStore() {
    return MemoryStore.builder().clock(clock).sweptByHand().build();
  }

  @Override
  protected void passTime(Duration atLeast) {
    clock.pass(atLeast);
  }
}
