package io.onceward.client;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The thread on which journals are opened and synced; it is there only while it has work. */
final class JournalThread implements Executor {
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
            return thread;
          });

  JournalThread() {
    executor.allowCoreThreadTimeOut(true);
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** Does what was handed over, and nothing more. */
  void close() {
    executor.shutdown();
  }
}
