package io.onceward.http;

import org.jspecify.annotations.Nullable;

/**
 * Who may touch the container's response: the one who hands out the answer, or the container, which
 * ends a request when its client is gone or its time is up. A container uses the objects of a
 * request that it has ended for the next one, so an answer that comes too late would be somebody
 * else's.
 */
final class HandOver {
  private enum Phase {
    HELD_BACK,
    BEING_WRITTEN,
    WRITTEN,
    OUT,
    /** Too late: the container has the response. */
    WITHDRAWN
  }

  private Phase phase = Phase.HELD_BACK;
  private @Nullable Thread writer;

  /** An answer is about to be written; not, if the container was faster. */
  synchronized boolean begin() {
    if (phase == Phase.WITHDRAWN) {
      return false;
    }
    phase = Phase.BEING_WRITTEN;
    writer = Thread.currentThread();
    return true;
  }

  /**
   * The answer is written, and the container about to be told.
   *
   * @return whether it still has to be told
   */
  synchronized boolean written() {
    if (phase == Phase.WITHDRAWN) {
      return false;
    }
    phase = Phase.WRITTEN;
    return true;
  }

  /** The container was told. */
  synchronized void end() {
    if (phase != Phase.WITHDRAWN) {
      phase = Phase.OUT;
    }
    writer = null;
    notifyAll();
  }

  /**
   * The container has begun to end the request. Waits for an answer that is being written, which
   * takes no longer than the container lets a write take: the container must not have its response
   * back before. A writer whom the container tells of it from within does not wait for itself.
   *
   * @return whether an answer is out; if not, there will be none
   */
  synchronized boolean isOutOrWithdrawn() {
    boolean interrupted = false;
    while (writer != null && writer != Thread.currentThread() && phase != Phase.WITHDRAWN) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !withdraw();
  }

  /** Whether it is too late for an answer. */
  synchronized boolean isWithdrawn() {
    return phase == Phase.WITHDRAWN;
  }

  /**
   * The container has ended the request, and may hold a lock that the one who writes needs. So this
   * does not wait.
   *
   * @return whether it was too late for the answer
   */
  synchronized boolean withdraw() {
    if (phase == Phase.WRITTEN || phase == Phase.OUT) {
      return false;
    }
    phase = Phase.WITHDRAWN;
    return true;
  }
}
