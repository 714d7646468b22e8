package io.onceward.guard;

/** Hears of every ruling: the hook for metrics. Called on the caller's thread; must not throw. */
@FunctionalInterface
public interface GuardListener {
  /**
   * A copy of a request was ruled on. Count by operation and ruling, never by id: there is no end
   * of ids.
   */
  void ruled(Ask ask, Ruling ruling, long nanos);
}
