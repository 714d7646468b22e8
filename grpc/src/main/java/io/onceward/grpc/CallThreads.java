package io.onceward.grpc;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the guard works. While the thread of a call is inside the guard, right there, so that a
 * service runs on the threads of its server. What comes later is done elsewhere: by the executor
 * that the user named, or by a few threads of our own, since a store may block.
 *
 * <p>The claim and the record of a call are one inside the other; what is further inside is
 * somebody else's, a twin that was waiting for this call, and must not keep its caller waiting.
 */
final class CallThreads implements Executor, AutoCloseable {
  private static final int OWN_THREADS = 8;
  private static final int CLAIM_AND_RECORD = 2;

  private final ThreadLocal<Integer> depth = new ThreadLocal<>();
  private final Executor elsewhere;
  private final @Nullable ThreadPoolExecutor own;

  CallThreads(@Nullable Executor given) {
    own = given == null ? pool() : null;
    elsewhere = own != null ? own : Objects.requireNonNull(given);
  }

  private static ThreadPoolExecutor pool() {
    AtomicInteger count = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            OWN_THREADS,
            OWN_THREADS,
            5,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "onceward-grpc-" + count.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
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

  @Override
  public void execute(Runnable task) {
    Integer now = depth.get();
    if (now == null || now >= CLAIM_AND_RECORD) {
      elsewhere.execute(task);
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
    if (own != null) {
      own.shutdown();
    }
  }
}
