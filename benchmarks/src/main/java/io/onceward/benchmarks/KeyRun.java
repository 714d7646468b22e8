package io.onceward.benchmarks;

import java.util.SplittableRandom;

/**
 * One memory of keys in the steady state: for each key that comes, the oldest one goes, because age
 * moves on at the pace at which they come.
 */
final class KeyRun {
  /** Requests in one log entry. */
  static final int BATCH = 64;

  /**
   * Requests that are made ready at a time: few enough to stay in the cache, as decoded ones do.
   */
  private static final int PREPARED = 4_096;

  private static final long LEAST_RETENTION_MILLIS = 600_000;
  private static final long MOST_RETENTION_MILLIS = 86_400_000;

  private final KeyMemory memory;
  private final int records;
  private final double millisPerRequest;
  private final long[] numbers = new long[PREPARED];
  private final SplittableRandom random = new SplittableRandom(1);
  private long next;
  private long position;
  private long replySum;

  KeyRun(KeyMemory.Maker maker, int records) {
    this.memory = maker.make(retentionMillis(records));
    this.records = records;
    this.millisPerRequest = (double) retentionMillis(records) / records;
  }

  /** A day for ten million keys and the same pace for fewer, as far as a retention can be short. */
  static long retentionMillis(int records) {
    long samePace = (long) (records * (MOST_RETENTION_MILLIS / 1e7));
    return Math.max(LEAST_RETENTION_MILLIS, Math.min(MOST_RETENTION_MILLIS, samePace));
  }

  KeyMemory memory() {
    return memory;
  }

  /** As many new requests as the table holds. */
  Meter fill() {
    Meter meter = remember(records, BATCH);
    memory.release();
    return meter;
  }

  /** As many again, so that everything that is there has come after something had to go. */
  void turnOver() {
    remember(records, BATCH);
    memory.release();
  }

  /** New requests, in log entries of so many. */
  Meter remember(int requests, int batch) {
    Meter meter = new Meter();
    for (int done = 0; done < requests; done += PREPARED) {
      int count = Math.min(PREPARED, requests - done);
      for (int i = 0; i < count; i++) {
        numbers[i] = next + i;
      }
      memory.prepare(numbers, count);
      meter.start();
      for (int from = 0; from < count; from += batch) {
        long timeMillis = (long) ((next + from) * millisPerRequest);
        memory.remember(from, Math.min(from + batch, count), ++position, timeMillis);
      }
      meter.stop();
      next += count;
    }
    return meter;
  }

  /** Retries of requests that are remembered, taken at random, in log entries of so many. */
  Meter replay(int requests, int batch) {
    Meter meter = new Meter();
    // The oldest ones may be gone already.
    long oldest = Math.max(0, next - records + records / 50 + 2 * BATCH);
    for (int done = 0; done < requests; done += PREPARED) {
      int count = Math.min(PREPARED, requests - done);
      for (int i = 0; i < count; i++) {
        numbers[i] = random.nextLong(oldest, next);
      }
      memory.prepare(numbers, count);
      meter.start();
      for (int from = 0; from < count; from += batch) {
        replySum += memory.replay(from, Math.min(from + batch, count));
      }
      meter.stop();
    }
    return meter;
  }

  /** Checks that as many records are there as the figures say, and that replies were replies. */
  void check() {
    long size = memory.size();
    if (Math.abs(size - records) > records / 20 + 4 * BATCH || replySum < 0) {
      throw new IllegalStateException(
          "the table holds " + size + " records where " + records + " are to be measured");
    }
  }
}
