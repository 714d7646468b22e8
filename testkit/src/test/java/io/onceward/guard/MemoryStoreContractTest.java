package io.onceward.guard;

import io.onceward.testkit.stores.ClaimStoreContract;
import java.time.Duration;

/**
 * The memory store keeps the contract of all stores. Time costs nothing here, so it runs longer.
 */
class MemoryStoreContractTest extends ClaimStoreContract {
  private final HandClock clock = new HandClock();

  @Override
  protected ClaimStore freshStore() {
    return MemoryStore.builder().clock(clock).sweptByHand().build();
  }

  @Override
  protected void passTime(Duration atLeast) {
    clock.pass(atLeast);
  }

  @Override
  protected int rounds() {
    return 150;
  }

  @Override
  protected int seeds() {
    return 500;
  }

  @Override
  protected int steps() {
    return 200;
  }
}
