package io.onceward.replica;

import java.util.ArrayDeque;

/**
 * All keys that are remembered for the same time, and the horizon that they share (K5).
 *
 * <p>Because one retention holds for all of them, the order of arrival is the order of expiry: the
 * oldest record stands first, and nothing is ever searched or sorted.
 */
final class RetentionClass {
  final int number;
  final long retentionMillis;

  /** The greatest date of any dated record that was dropped; it only grows. */
  long horizonMicros;

  /** Up to when records of any kind were dropped, in log time; it only grows. */
  long droppedMillis;

  final ArrayDeque<Chunk> chunks = new ArrayDeque<>();

  /** The quanta of the last mark, which the next record may share; -1 if there is none. */
  long lastDue = -1;

  long lastTime = -1;

  RetentionClass(int number, long retentionMillis) {
    this.number = number;
    this.retentionMillis = retentionMillis;
  }

  void raiseHorizon(long dateMicros) {
    horizonMicros = Math.max(horizonMicros, dateMicros);
  }
}
