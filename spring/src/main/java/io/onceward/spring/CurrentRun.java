package io.onceward.spring;

import io.onceward.guard.Run;
import org.jspecify.annotations.Nullable;

/**
 * What a method with {@code @Once(effect = OUTSIDE)} may hand to the other side while it runs: the
 * idempotency key, the same for all retries, and the fencing number (G3, G4).
 */
public final class CurrentRun {
  private static final ThreadLocal<@Nullable Run> RUN = new ThreadLocal<>();

  private CurrentRun() {}

  /**
   * The run that this thread is in.
   *
   * @throws IllegalStateException if it is in none
   */
  public static Run get() {
    Run run = RUN.get();
    if (run == null) {
      throw new IllegalStateException(
          "this thread is not inside a method with @Once(effect = OUTSIDE)");
    }
    return run;
  }

  /** Enters a run; returns the one that was left. */
  static @Nullable Run enter(Run run) {
    Run outer = RUN.get();
    RUN.set(run);
    return outer;
  }

  static void leave(@Nullable Run outer) {
    if (outer == null) {
      RUN.remove();
    } else {
      RUN.set(outer);
    }
  }
}
