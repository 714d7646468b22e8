package io.onceward.guard;

import java.util.List;

/**
 * Hears of every ruling: the hook for metrics. Called on the caller's thread. What it throws costs
 * nobody the reply: it goes to the thread's handler of uncaught exceptions.
 */
@FunctionalInterface
public interface GuardListener {
  /**
   * A copy of a request was ruled on. Count by operation and ruling, never by id: there is no end
   * of ids.
   */
  void ruled(Ask ask, Ruling ruling, long nanos);

  /**
   * Unknown requests have taken four fifths of their share of the store: somebody has to look at
   * {@link Guard#unknowns}, before new requests are refused for them. Said once, and again after
   * they were fewer.
   *
   * @param share {@link ClaimStore#unknownShare}
   */
  default void unknownsPileUp(double share) {}

  /** The same, for those who call it: a counter that fails must not cost anybody the reply. */
  default GuardListener neverThrowing() {
    GuardListener heard = this;
    return new GuardListener() {
      @Override
      public void ruled(Ask ask, Ruling ruling, long nanos) {
        reporting(() -> heard.ruled(ask, ruling, nanos));
      }

      @Override
      public void unknownsPileUp(double share) {
        reporting(() -> heard.unknownsPileUp(share));
      }
    };
  }

  /** Several as one: each of them hears everything, whatever the others throw. */
  static GuardListener all(List<? extends GuardListener> listeners) {
    List<GuardListener> each = listeners.stream().map(GuardListener::neverThrowing).toList();
    return new GuardListener() {
      @Override
      public void ruled(Ask ask, Ruling ruling, long nanos) {
        each.forEach(one -> one.ruled(ask, ruling, nanos));
      }

      @Override
      public void unknownsPileUp(double share) {
        each.forEach(one -> one.unknownsPileUp(share));
      }
    };
  }

  private static void reporting(Runnable call) {
    try {
      call.run();
    } catch (Throwable failure) {
      report(failure);
    }
  }

  private static void report(Throwable failure) {
    Thread thread = Thread.currentThread();
    try {
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (Throwable worse) {
      // There is nobody left to tell, and the reply is what counts.
    }
  }
}
