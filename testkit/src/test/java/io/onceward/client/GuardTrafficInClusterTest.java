package io.onceward.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.guard.StoreUnavailableException;
import io.onceward.services.ClaimCommand;
import io.onceward.services.ClaimReply;
import io.onceward.testkit.guards.BuggyStore;
import io.onceward.testkit.guards.GuardTraffic;
import io.onceward.testkit.guards.StoreBug;
import io.onceward.testkit.world.Dice;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Guards on the cluster's store under concurrent traffic, in the cluster's own time, before an
 * auditor; with commands and answers that get lost on the way, and without.
 */
class GuardTrafficInClusterTest {
  private static final int SEEDS = 60;
  private static final int STEPS = 60;
  private static final int LOST_PER_MILLE = 40;

  /** Loses commands and answers until it is healed. */
  private static final class LossyStore extends ReplicaStore {
    private final Dice dice;
    private boolean healed;

    LossyStore(long seed) {
      super(stopped());
      dice = new Dice(seed);
    }

    @Override
    synchronized ClaimReply submit(
        ClaimCommand command, @Nullable LongFunction<ClaimCommand> giveBack) {
      loseSometimes("the command");
      ClaimReply reply = super.submit(command, giveBack);
      try {
        loseSometimes("the answer");
      } catch (StoreUnavailableException lost) {
        // As the client does, which finds out later that it was given a run that nobody began.
        if (giveBack != null && reply instanceof ClaimReply.Started started && dice.perMille(500)) {
          super.submit(giveBack.apply(started.fence()), null);
        }
        throw lost;
      }
      return reply;
    }

    private void loseSometimes(String what) {
      if (!healed && dice.perMille(LOST_PER_MILLE)) {
        throw new StoreUnavailableException(what + " was lost", null);
      }
    }

    synchronized void heal() {
      healed = true;
    }
  }

  /** A clock that stands still: on a busy machine a lease of a second could end by itself. */
  private static LongSupplier stopped() {
    long now = System.currentTimeMillis();
    return () -> now;
  }

  @Test
  void nothingIsWrongWithTheStore() throws Exception {
    for (long seed = 1; seed <= SEEDS; seed++) {
      ReplicaStore store = new ReplicaStore(stopped());
      assertThat(new GuardTraffic(seed, store, store::passUnswept, false).violations(STEPS))
          .as("seed " + seed)
          .isEmpty();
    }
  }

  @Test
  void nothingIsWrongWithTheStoreWhoseAnswersAreLost() throws Exception {
    for (long seed = 1; seed <= SEEDS; seed++) {
      LossyStore store = new LossyStore(seed);
      assertThat(
              new GuardTraffic(seed, store, store::passUnswept, true)
                  .violationsOf(STEPS, store::heal))
          .as("seed " + seed)
          .isEmpty();
    }
  }

  /** What is lost must not hide what is wrong. */
  @Test
  void aRunThatIsRepeatedIsNoticedThoughAnswersAreLost() throws Exception {
    boolean caught = false;
    for (long seed = 1; seed <= SEEDS && !caught; seed++) {
      LossyStore store = new LossyStore(seed);
      caught =
          !new GuardTraffic(
                  seed, new BuggyStore(store, StoreBug.RUNS_LAPSED_AGAIN), store::passUnswept, true)
              .violationsOf(STEPS, store::heal)
              .isEmpty();
    }
    assertThat(caught).isTrue();
  }
}
