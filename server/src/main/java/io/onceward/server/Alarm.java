package io.onceward.server;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does one thing, on a thread of its own, at the time that it is set to; setting it again moves
 * that time, also to an earlier one. Its clock never jumps.
 */
final class Alarm implements AutoCloseable {
  private final Runnable action;
  private final Consumer<Throwable> onProblem;
  private final long startNanos = System.nanoTime();
  private final ScheduledThreadPoolExecutor thread;
  private @Nullable Future<?> pending;
  private long dueMillis = Leader.NEVER;

  /** An alarm whose action is not supposed to throw; if it does, this hears of it. */
  Alarm(Runnable action, Consumer<Throwable> onProblem) {
    this.action = action;
    this.onProblem = onProblem;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread one = new Thread(task, "onceward-clock");
              one.setDaemon(true);
              return one;
            });
    thread.setRemoveOnCancelPolicy(true);
  }

  /** Milliseconds since this was made. */
  long nowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }

  /** Goes off at that time by {@link #nowMillis}, and at no other. */
  synchronized void set(long millis) {
    if (millis == dueMillis || thread.isShutdown()) {
      return;
    }
    if (pending != null) {
      pending.cancel(false);
      pending = null;
    }
    dueMillis = millis;
    if (millis != Leader.NEVER) {
      pending =
          thread.schedule(this::goOff, Math.max(0, millis - nowMillis()), TimeUnit.MILLISECONDS);
    }
  }

  private void goOff() {
    synchronized (this) {
      dueMillis = Leader.NEVER;
      pending = null;
    }
    try {
      action.run();
    } catch (Throwable problem) {
      // It would vanish in the executor, and nobody would set the alarm again.
      onProblem.accept(problem);
    }
  }

  /** It never goes off again. Idempotent. */
  @Override
  public synchronized void close() {
    thread.shutdownNow();
  }
}
