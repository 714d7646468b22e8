package io.onceward.torture.net;

/**
 * The way of bytes from one party to another, over whatever connection they go: requests on the
 * connections that the first one made, answers on those that the second one made.
 */
final class Lane {
  private final Object lock = new Object();
  private boolean stalled;
  private boolean closed;
  private volatile int delayMillis;

  /** Lets nothing pass, without a sign to anyone; what is held back arrives when it is opened. */
  void stall() {
    synchronized (lock) {
      stalled = true;
    }
  }

  /** Each piece that passes takes this much longer. */
  void slow(int millis) {
    delayMillis = millis;
  }

  void heal() {
    synchronized (lock) {
      stalled = false;
      delayMillis = 0;
      lock.notifyAll();
    }
  }

  void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
  }

  /** Waits as long as whoever passes has to wait; says whether the lane is still there. */
  boolean pass() throws InterruptedException {
    int millis = delayMillis;
    if (millis > 0) {
      Thread.sleep(millis);
    }
    synchronized (lock) {
      while (stalled && !closed) {
        lock.wait();
      }
      return !closed;
    }
  }
}
