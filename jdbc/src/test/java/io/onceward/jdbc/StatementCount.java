package io.onceward.jdbc;

/** How many statements were sent, for those who wait for that. */
final class StatementCount {
  private long sent;
  private boolean over;

  synchronized void sent() {
    sent++;
    notifyAll();
  }

  /** Lets all go who wait. */
  synchronized void end() {
    over = true;
    notifyAll();
  }

  /** False if the end came before. */
  synchronized boolean awaitMore(int more) throws InterruptedException {
    long next = sent + more;
    while (sent < next && !over) {
      wait();
    }
    return !over;
  }

  synchronized void begin() {
    over = false;
  }
}
