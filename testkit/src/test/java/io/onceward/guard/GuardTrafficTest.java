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

  /** A mistake that a guard could make on a store without one. */
  enum GuardBug implements GuardTraffic.Door {
    /** What a listener throws takes the place of the ruling. */
    LISTENER_COSTS_THE_REPLY {
      @Override
      public Ruling decide(Guard guard, Ask ask, Effect effect) {
        Ruling ruling = guard.decide(ask, effect);
        if (ruling instanceof Ruling.Replied) {
          throw new IllegalStateException("a listener");
        }
        return ruling;
      }
    },
    /** Whatever an effect throws means that it did not happen. */
    DENIES_WHAT_HAPPENED {
      @Override
      public Ruling decide(Guard guard, Ask ask, Effect effect) {
        Ruling ruling = guard.decide(ask, effect);
        return ruling instanceof Ruling.Unknown unknown && unknown.cause() != null
            ? new Ruling.DidNotHappen(unknown.cause())
            : ruling;
      }
    },
    /** Every copy is told that it was the first. */
    CALLS_REPLAYS_FIRST {
      @Override
      public Ruling decide(Guard guard, Ask ask, Effect effect) {
        Ruling ruling = guard.decide(ask, effect);
        return ruling instanceof Ruling.Replied replied
            ? new Ruling.Replied(replied.reply(), false)
            : ruling;
      }
    }
  }

  @ParameterizedTest
  @EnumSource(GuardBug.class)
  void plantedMistakeOfAGuardIsCaught(GuardBug bug) throws Exception {
    boolean caught = false;
    for (long seed = 1; seed <= SEEDS && !caught; seed++) {
      HandClock clock = new HandClock();
      MemoryStore store = MemoryStore.builder().clock(clock).sweptByHand().build();
      caught =
          !new GuardTraffic(seed, store, clock::pass, false)
              .through(bug)
              .violations(STEPS)
              .isEmpty();
    }
    assertTrue(caught, bug + " was not noticed in " + SEEDS + " seeds");
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
