package io.onceward.spring;

import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Ruling;
import io.onceward.guard.Run;
import org.jspecify.annotations.Nullable;

/** Effects outside: claim before, reply after, UNKNOWN where nobody can tell (G2). */
final class GuardHome implements Home {
  private final Guard guard;
  private final String store;
  private final Entrance entrance;

  /** Whether a call may come in, from where it is. */
  interface Entrance {
    void check(OnceMethod method);
  }

  /**
   * @param store what it remembers in, for people
   */
  GuardHome(Guard guard, String store, Entrance entrance) {
    this.guard = guard;
    this.store = store;
    this.entrance = entrance;
  }

  @Override
  public Ruling decide(Ask ask, Call call) {
    entrance.check(call.method());
    return guard.decide(
        ask,
        run -> {
          @Nullable Run outer = CurrentRun.enter(run);
          try {
            return call.run();
          } finally {
            CurrentRun.leave(outer);
          }
        });
  }

  @Override
  public GuardedOutcome outcome(GuardedId id) {
    return guard.outcome(id);
  }

  @Override
  public String guarantee() {
    return guarantee(guard.durability(), store);
  }

  static String guarantee(ClaimStore.Durability durability, String store) {
    return switch (durability) {
      case DURABLE -> "at-most-once with UNKNOWN (guard on " + store + ")";
      case PROCESS -> "best effort (memory of this process)";
    };
  }
}
