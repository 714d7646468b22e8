package io.onceward.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Does expensive work for many askers: once at a time, on a thread of its own. All who ask before
 * it begins share one result; those who ask while it runs share the next, since what they asked
 * about may have happened meanwhile. After each run it rests as long as that took, up to a limit,
 * so that askers without end take half of one core at most.
 */
final class OneAtATime<T> {
  private static final int KEPT_SECONDS = 5;
  private final Supplier<T> work;
  private final long longestRestNanos;
  private final ThreadPoolExecutor thread;
  private @Nullable CompletableFuture<T> next;

  OneAtATime(String threadName, long longestRestMillis, Supplier<T> work) {
    this(
        task -> {
          Thread one = new Thread(task, threadName);
          one.setDaemon(true);
          return one;
        },
        longestRestMillis,
        work);
  }

  OneAtATime(ThreadFactory threads, long longestRestMillis, Supplier<T> work) {
    this.work = work;
    this.longestRestNanos = TimeUnit.MILLISECONDS.toNanos(longestRestMillis);
    this.thread =
        new ThreadPoolExecutor(
            1, 1, KEPT_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    thread.allowCoreThreadTimeOut(true);
  }

  /** The result of a run that begins after this call, which throws if there is no thread for it. */
  synchronized CompletableFuture<T> ask() {
    CompletableFuture<T> asked = next;
    if (asked == null) {
      asked = new CompletableFuture<>();
      thread.execute(this::run);
      // Only now: if there was no thread for it, the next one who asks must not wait for it.
      next = asked;
    }
    return asked;
  }

  private void run() {
    CompletableFuture<T> asked;
    synchronized (this) {
      asked = next;
      next = null;
    }
    if (asked == null) {
      throw new IllegalStateException("nobody asked");
    }
    long start = System.nanoTime();
    try {
      asked.complete(work.get());
    } catch (Throwable problem) {
      asked.completeExceptionally(problem);
    }
    LockSupport.parkNanos(Math.min(System.nanoTime() - start, longestRestNanos));
  }
}
