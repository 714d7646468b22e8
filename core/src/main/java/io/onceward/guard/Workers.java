package io.onceward.guard;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which asynchronous requests talk to a store that may block. A pool of its own ends
 * when the guard is closed and the last request that began before has been recorded.
 */
final class Workers implements Executor {
  private static final int OWN_THREADS = 8;

  /** Added to the count of requests under way once closed. */
  private static final long CLOSED = 1L << 32;

  private final Executor executor;
  private final Executor forTwins;
  final @Nullable ThreadPoolExecutor own;
  private final AtomicLong underWay = new AtomicLong();

  Workers(@Nullable Executor given, boolean atOnce) {
    own = given == null && !atOnce ? pool("onceward-guard") : null;
    if (given != null) {
      executor = given;
    } else if (own != null) {
      executor = own;
    } else {
      executor = Runnable::run;
    }
    // What a twin's caller chained to its future must not run inside the copy that led.
    forTwins = given == null && atOnce ? ForkJoinPool.commonPool() : this;
  }

  /** A few threads that end when there is nothing to do, and do not keep a JVM alive. */
  static ThreadPoolExecutor pool(String name) {
    AtomicInteger threads = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            OWN_THREADS,
            OWN_THREADS,
            5,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name + "-" + threads.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** A record is never lost to an executor that takes no more: it is made here and now. */
  @Override
  public void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      task.run();
    }
  }

  Executor forTwins() {
    return forTwins;
  }

  void begin() {
    underWay.incrementAndGet();
  }

  void end() {
    if (underWay.decrementAndGet() == CLOSED) {
      shutDown();
    }
  }

  void close() {
    long before = underWay.getAndUpdate(count -> count | CLOSED);
    if ((before & ~CLOSED) == 0) {
      shutDown();
    }
  }

  private void shutDown() {
    if (own != null) {
      own.shutdown();
    }
  }
}
