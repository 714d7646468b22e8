package io.onceward.guard;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a guard works that stands before a server, for {@link Guard.Builder#executor}. While the
 * thread of a request is inside the guard, right there: the rest of the server has to run on it.
 * What comes later, such as the record of a request that went asynchronous, is done by a few
 * threads of its own, or elsewhere as told, since a store may block.
 *
 * <p>The claim and the record of a request are one inside the other; what is further inside is
 * somebody else's, a twin that was waiting for this request, and must not keep its caller waiting.
 */
public final class CallerThreads implements Executor, AutoCloseable {
  private static final int CLAIM_AND_RECORD = 2;

  private final ThreadLocal<@Nullable Integer> depth = new ThreadLocal<>();
  private final Executor elsewhere;
  private final @Nullable ThreadPoolExecutor own;

  private CallerThreads(Executor elsewhere, @Nullable ThreadPoolExecutor own) {
    this.elsewhere = elsewhere;
    this.own = own;
  }

  /**
   * With a few threads of its own for what comes later.
   *
   * @param name what their names begin with
   */
  public static CallerThreads named(String name) {
    ThreadPoolExecutor own = Workers.pool(name);
    return new CallerThreads(own, own);
  }

  /** What comes later is given to that executor, which stays the caller's to close. */
  public static CallerThreads orElse(Executor elsewhere) {
    return new CallerThreads(elsewhere, null);
  }

  /** Lets the guard work on this thread until the call returns. */
  public <T> T here(Supplier<T> call) {
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

  /** Whether the guard may work on this thread. */
  public boolean isHere() {
    return depth.get() != null;
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

  /** What was given to its own threads is still done. */
  @Override
  public void close() {
    if (own != null) {
      own.shutdown();
    }
  }
}
