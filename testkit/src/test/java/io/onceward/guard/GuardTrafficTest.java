package io.onceward.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.onceward.testkit.guards.BuggyStore;
import io.onceward.testkit.guards.GuardTraffic;
import io.onceward.testkit.guards.StoreBug;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A guard on the memory store under concurrent traffic, in virtual time, before an auditor. */
class GuardTrafficTest {
  private static final int SEEDS = 60;
  private static final int STEPS = 60;

  private static List<String> violations(long seed, ClaimStore store, HandClock clock)
      throws Exception {
    return new GuardTraffic(seed, store, clock::pass, false).violations(STEPS);
  }

  @Test
  void nothingIsWrongWithTheMemoryStore() throws Exception {
    for (long seed = 1; seed <= SEEDS; seed++) {
      HandClock clock = new HandClock();
      MemoryStore store = MemoryStore.builder().clock(clock).sweptByHand().build();
      assertEquals(List.of(), violations(seed, store, clock), "seed " + seed);
    }
  }

  @ParameterizedTest
  @EnumSource(StoreBug.class)
  void plantedMistakeIsCaught(StoreBug bug) throws Exception {
    boolean caught = false;
    for (long seed = 1; seed <= SEEDS && !caught; seed++) {
      HandClock clock = new HandClock();
      MemoryStore store = MemoryStore.builder().clock(clock).sweptByHand().build();
      caught = !violations(seed, new BuggyStore(store, bug), clock).isEmpty();
    }
    assertTrue(caught, bug + " was not noticed in " + SEEDS + " seeds");
  }
}
