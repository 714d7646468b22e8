package io.onceward.replica;

/**
 * A stretch of a {@link KeyJournal}: records of one retention class in the order of their arrival.
 * Records are appended at the end, dropped from the start, and buried in place.
 */
final class Chunk {
  final int number;
  final RetentionClass retention;
  final long basePosition;
  final long baseTime;
  byte[] bytes;
  int start;
  int end;
  int garbage;
  int epoch;

  /** Records, without marks, between start and end. */
  int records;

  /** The quanta of the last mark that stands in this chunk or before it. */
  long lastDue;

  long lastTime;

  Chunk(
      int number,
      RetentionClass retention,
      long basePosition,
      long baseTime,
      byte[] bytes,
      int epoch) {
    this.number = number;
    this.retention = retention;
    this.basePosition = basePosition;
    this.baseTime = baseTime;
    this.bytes = bytes;
    this.epoch = epoch;
  }
}
