package io.onceward.server;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread for the rest of what takes long, which goes on in short turns. The threads that apply
 * entries and that serve connections have others waiting for them; none of them should be kept by
 * one visitor. The thread is there while there is something to do.
 */
final class Turns implements Executor {
  private static final int KEPT_SECONDS = 5;

  /** After a turn that took longer: whoever waits for the door has it before the next turn. */
  private static final long REST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          KEPT_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          task -> {
            Thread one = new Thread(task, "onceward-turns");
            one.setDaemon(true);
            return one;
          });

  Turns() {
    thread.allowCoreThreadTimeOut(true);
  }

  @Override
  public void execute(Runnable turn) {
    thread.execute(
        () -> {
          long start = System.nanoTime();
          turn.run();
          if (System.nanoTime() - start > REST_NANOS) {
            LockSupport.parkNanos(REST_NANOS);
          }
        });
  }
}
