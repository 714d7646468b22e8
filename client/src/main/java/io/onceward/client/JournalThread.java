package io.onceward.client;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The thread on which journals are opened and synced; it is there only while it has work. */
final class JournalThread implements Executor {
  private volatile @Nullable Thread current;

  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          1,
          1,
          5,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          task -> {
            Thread thread = new Thread(task, "onceward-journal");
            thread.setDaemon(true);
            current = thread;
            return thread;
          });

  JournalThread() {
    executor.allowCoreThreadTimeOut(true);
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** Whether the calling thread is this one: what it does now, happens before all that waits. */
  boolean isCurrent() {
    return Thread.currentThread() == current;
  }

  /** Does what was handed over, and nothing more. */
  void close() {
    executor.shutdown();
  }
}
