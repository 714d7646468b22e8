package io.onceward.http;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Where the guard works. While the container's thread is inside the guard, right there: the rest of
 * the filter chain has to run on it. What comes later, such as the record of a request that went
 * asynchronous, is done by a few threads of our own, since a store may block.
 *
 * <p>The claim and the record of a request are one inside the other; what is further inside is
 * somebody else's, a twin that was waiting for this request, and must not keep its caller waiting.
 */
final class RequestThreads implements Executor, AutoCloseable {
  private static final int OWN_THREADS = 8;

  private static final int CLAIM_AND_RECORD = 2;

  private final ThreadLocal<Integer> depth = new ThreadLocal<>();
  private final ThreadPoolExecutor own;

  RequestThreads() {
    AtomicInteger count = new AtomicInteger();
    own =
        new ThreadPoolExecutor(
            OWN_THREADS,
            OWN_THREADS,
            5,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "onceward-http-" + count.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    own.allowCoreThreadTimeOut(true);
  }

  /** Lets the guard work on this thread until the call returns. */
  <T> T here(Supplier<T> call) {
    Integer outside = depth.get();
    depth.set(0);
    try {
      return call.get();
    } finally {
      if (outside == null) {
        depth.remove();
      } else {
        depth.set(outside);
      }
    }
  }

  boolean isHere() {
    return depth.get() != null;
  }

  @Override
  public void execute(Runnable task) {
    Integer now = depth.get();
    if (now == null || now >= CLAIM_AND_RECORD) {
      own.execute(task);
      return;
    }
    depth.set(now + 1);
    try {
      task.run();
    } finally {
      depth.set(now);
    }
  }

  /** What was given to them is still done. */
  @Override
  public void close() {
    own.shutdown();
  }
}
