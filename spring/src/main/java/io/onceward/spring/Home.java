package io.onceward.spring;

import io.onceward.guard.Ask;
import io.onceward.guard.Ruling;
import org.jspecify.annotations.Nullable;

/** Where requests are remembered, and so what can be promised. */
interface Home {
  Ruling decide(Ask ask, Call call);

  /** Why a method cannot run here, or null if it can. */
  default @Nullable String objection(OnceMethod method) {
    return null;
  }

  /** The promise, in the words of the line at the start. */
  String guarantee();
}
