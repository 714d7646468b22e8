package io.onceward.benchmarks;

/**
 * A memory of keyed requests, as one thread that applies a log drives it: Onceward's table and the
 * alternatives do the same work behind this interface. For each key they remember reply,
 * fingerprint, log position and log time, for one retention.
 *
 * <p>Requests are made ready by {@link #prepare}, which is not measured: whoever decodes a log has
 * them anyway.
 */
public interface KeyMemory {

  /** Makes the requests with these numbers ready, in place of those before. */
  void prepare(long[] numbers, int count);

  /**
   * Lets time pass, drops what is due, then judges and remembers the prepared requests of one log
   * entry, all of which are new.
   *
   * @throws IllegalStateException if one of them is known
   */
  void remember(int from, int to, long position, long timeMillis);

  /**
   * Judges the prepared requests of one log entry, all of which are retries.
   *
   * @return the sum of the first bytes of the replies
   * @throws IllegalStateException if one of them is not known
   */
  long replay(int from, int to);

  /** Lets go of the prepared requests, so that they do not count as memory of the table. */
  void release();

  /** How many requests are remembered. */
  long size();

  /** Makes an empty memory. */
  @FunctionalInterface
  interface Maker {
    KeyMemory make(long retentionMillis);
  }
}
