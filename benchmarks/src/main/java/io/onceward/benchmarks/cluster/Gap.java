package io.onceward.benchmarks.cluster;

import io.onceward.client.Decided;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Finds the first decision of the time after a leader was killed. When an answer comes says little:
 * it may have been under way already. So it goes by the log time of the decision, which is later
 * than the kill only if another leader made it.
 */
final class Gap {
  private static final int MOST_KEPT = 1 << 16;

  private record Heard(long atMicros, long logMillis) {}

  private final Deque<Heard> heard = new ArrayDeque<>();
  private boolean listens;

  /** From now on decisions are kept. */
  synchronized void arm() {
    heard.clear();
    listens = true;
  }

  synchronized void decided(Decided decided) {
    if (!listens) {
      return;
    }
    if (heard.size() == MOST_KEPT) {
      heard.removeFirst();
    }
    heard.addLast(new Heard(nowMicros(), decided.timeMillis()));
    notifyAll();
  }

  /** When the first decision arrived that was logged after the given time; waits for it. */
  synchronized long firstAfter(long logMillis, long mostMillis) throws InterruptedException {
    long end = System.nanoTime() + mostMillis * 1_000_000;
    while (true) {
      for (Heard one : heard) {
        if (one.logMillis > logMillis) {
          listens = false;
          return one.atMicros;
        }
      }
      heard.clear();
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new IllegalStateException("nothing was decided for " + mostMillis + " ms");
      }
      wait(left);
    }
  }

  static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }
}
