package io.onceward.spring;

import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Guard;
import io.onceward.guard.Ruling;
import io.onceward.guard.Run;
import org.jspecify.annotations.Nullable;

/** Effects outside: claim before, reply after, UNKNOWN where nobody can tell (G2). */
final class GuardHome implements Home {
  private final Guard guard;
  private final String store;

  /**
   * @param store what it remembers in, for people
   */
  GuardHome(Guard guard, String store) {
    this.guard = guard;
    this.store = store;
  }

  @Override
  public Ruling decide(Ask ask, Call call) {
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
