package io.onceward.benchmarks.jdbc;

import io.onceward.Key;
import java.sql.SQLException;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Copies of one request after the other: all threads send the same, and when all have their reply,
 * they send the next. The one that executes stays in its transaction for a while, so that there are
 * nearly always copies that wait.
 */
final class Duplicates {
  static final int COPIES = 64;
  private static final double HOLD_SECONDS = 0.2;

  private final Transfers transfers;
  private final CyclicBarrier together = new CyclicBarrier(COPIES, this::next);
  private volatile Key key;
  private final AtomicLong requests = new AtomicLong();

  Duplicates(Transfers transfers) {
    this.transfers = transfers;
    this.key = transfers.nextKey();
  }

  private void next() {
    key = transfers.nextKey();
    requests.incrementAndGet();
  }

  /** One copy. */
  void send() throws SQLException, InterruptedException {
    try {
      // Who waits in vain for the others, because they were told to stop, has nothing to do.
      together.await(2, TimeUnit.SECONDS);
      transfers.guarded(key, HOLD_SECONDS);
    } catch (BrokenBarrierException | TimeoutException over) {
      return;
    }
  }

  /** How many different requests have been sent. */
  long requests() {
    return requests.get();
  }
}
