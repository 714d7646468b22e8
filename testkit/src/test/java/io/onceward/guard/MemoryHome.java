package io.onceward.guard;

import io.onceward.testkit.conformance.GuardHome;
import java.time.Duration;
import java.time.Instant;

/** The guard in memory, in virtual time. In this package, since the store's clock is its own. */
public final class MemoryHome {
  private MemoryHome() {}

  public static GuardHome fresh() {
    HandClock clock = new HandClock();
    MemoryStore store = MemoryStore.builder().clock(clock).sweptByHand().build();
    return new GuardHome(store, new Moved(store, clock), null);
  }

  private record Moved(MemoryStore store, HandClock clock) implements GuardHome.Clock {
    @Override
    public Instant now() {
      return Instant.ofEpochMilli(clock.wallMillis());
    }

    @Override
    public void pass(Duration time) {
      clock.pass(time);
      store.sweep(1_000);
    }

    @Override
    public void outage(Duration time) {
      throw new UnsupportedOperationException("memory does not outlive its process");
    }
  }
}
