package io.onceward.server.engine.ratis;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells the machine things, in order, on a thread that holds no lock. Ratis tells them while it
 * holds its own, and a machine that asks the engine something in return would wait for ever.
 */
final class Notices {
  private static final long TICK_MILLIS = 50;
  private static final long PATIENCE_MILLIS = 2000;

  private final LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
  private final Failure failure;
  private final Thread thread;
  private @Nullable Runnable tick;
  private volatile boolean closing;
  private boolean ended = true;

  Notices(String name, Failure failure) {
    this.failure = failure;
    this.thread = new Thread(this::run, name);
    this.thread.setDaemon(true);
  }

  /**
   * @param tick run every now and then, on the same thread
   */
  synchronized void start(Runnable tick) {
    this.tick = tick;
    ended = false;
    thread.start();
  }

  /** Before the start it waits for it; after the end there is nobody left to wait for. */
  void post(Runnable notice) {
    synchronized (this) {
      if (!ended || !closing) {
        queue.add(notice);
        return;
      }
    }
    deliver(notice);
  }

  /** Delivers what was posted so far, and ends. */
  void close() {
    closing = true;
    queue.add(() -> {});
    if (Thread.currentThread() == thread || !thread.isAlive()) {
      return;
    }
    try {
      thread.join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!end()) {
      try {
        Runnable notice = queue.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
        if (notice != null) {
          deliver(notice);
        } else if (tick != null && !closing) {
          deliver(tick);
        }
      } catch (InterruptedException stray) {
        // Nobody who knows this thread interrupts it; it ends when it is closed.
        Thread.interrupted();
      }
    }
  }

  private synchronized boolean end() {
    ended = closing && queue.isEmpty();
    return ended;
  }

  private void deliver(Runnable notice) {
    try {
      notice.run();
    } catch (Throwable problem) {
      failure.fail(
          "this node could not take note of a change: " + Failure.reason(problem), problem);
    }
  }
}
