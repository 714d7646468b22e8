package io.onceward.guard;

import io.onceward.testkit.stores.BoundedStoreContract;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** Both limits of the memory store. */
class BoundedMemoryStoreTest {
  @Nested
  class InEntries extends Bounded {
    @Override
    protected ClaimStore freshStore() {
      return MemoryStore.builder().maxEntries(20).clock(clock).sweptByHand().build();
    }
  }

  @Nested
  class InBytes extends Bounded {
    @Override
    protected ClaimStore freshStore() {
      return MemoryStore.builder().maxBytes(2 << 20).clock(clock).sweptByHand().build();
    }
  }

  abstract static class Bounded extends BoundedStoreContract {
    final HandClock clock = new HandClock();

    @Override
    protected void passTime(Duration atLeast) {
      clock.pass(atLeast);
    }
  }
}
