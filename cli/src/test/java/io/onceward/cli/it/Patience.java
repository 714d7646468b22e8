package io.onceward.cli.it;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits for what other processes do, never longer than was said, and tells what it waited for. */
final class Patience {
  /** Enough for anything that a healthy cluster does on a slow machine. */
  static final Duration LONG = Duration.ofSeconds(40);

  private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

  private Patience() {}

  /** Something that may fail until it works. */
  interface Attempt {
    boolean holds() throws Exception;
  }

  static void until(String what, Attempt attempt) {
    until(what, LONG, attempt);
  }

  static void until(String what, Duration most, Attempt attempt) {
    find(what, most, () -> attempt.holds() ? Boolean.TRUE : null);
  }

  static <T> T find(String what, Callable<@Nullable T> attempt) {
    return find(what, LONG, attempt);
  }

  /**
   * Tries until there is something; a failed attempt is tried again and told if it was the last.
   */
  static <T> T find(String what, Duration most, Callable<@Nullable T> attempt) {
    long deadline = System.nanoTime() + most.toNanos();
    while (true) {
      Throwable last = null;
      try {
        T found = attempt.call();
        if (found != null) {
          return found;
        }
      } catch (Exception | AssertionError problem) {
        last = problem;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "after " + most.toMillis() + " ms still waiting for: " + what, last);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** What the future gives; its own exception if it fails. */
  static <T> T get(String what, CompletableFuture<T> future) throws Exception {
    return get(what, LONG, future);
  }

  static <T> T get(String what, Duration most, CompletableFuture<T> future) throws Exception {
    try {
      return future.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw failed;
    } catch (TimeoutException late) {
      throw new AssertionError("after " + most.toMillis() + " ms still waiting for: " + what, late);
    }
  }
}
