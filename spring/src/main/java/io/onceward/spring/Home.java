package io.onceward.spring;

import io.onceward.guard.Ask;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Ruling;
import io.onceward.guard.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/** Where requests are remembered, and so what can be promised. */
interface Home {
  Ruling decide(Ask ask, Call call);

  /**
   * What is known of a request. Asking changes nothing.
   *
   * @throws StoreUnavailableException if nobody could be asked
   * @throws UnsupportedOperationException if it cannot be told without a claim
   */
  GuardedOutcome outcome(GuardedId id);

  /** Why a method cannot run here, or null if it can. */
  default @Nullable String objection(OnceMethod method) {
    return null;
  }

  /** The promise, in the words of the line at the start. */
  String guarantee();
}
