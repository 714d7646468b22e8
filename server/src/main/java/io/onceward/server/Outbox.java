package io.onceward.server;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs what was put in, in that order, one at a time, on whichever thread comes by. It keeps
 * entries in order on their way to the log although several threads bring them, and no thread holds
 * the door while the log works.
 */
final class Outbox {
  private final ConcurrentLinkedQueue<Runnable> actions = new ConcurrentLinkedQueue<>();
  private final AtomicInteger arrivals = new AtomicInteger();
  private final Consumer<Throwable> onProblem;

  /** An outbox whose actions are not supposed to throw; if one does, this hears of it. */
  Outbox(Consumer<Throwable> onProblem) {
    this.onProblem = onProblem;
  }

  void add(Runnable action) {
    actions.add(action);
  }

  /** Runs what is there, unless another thread is at it, who then runs this too. */
  void drain() {
    if (actions.isEmpty() || arrivals.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      for (Runnable action = actions.poll(); action != null; action = actions.poll()) {
        try {
          action.run();
        } catch (Throwable problem) {
          // Whatever it is: if it escaped, no thread would ever take its turn again.
          report(problem);
        }
      }
      seen = arrivals.addAndGet(-seen);
    } while (seen != 0);
  }

  private void report(Throwable problem) {
    try {
      onProblem.accept(problem);
    } catch (Throwable another) {
      problem.addSuppressed(another);
    }
  }
}
