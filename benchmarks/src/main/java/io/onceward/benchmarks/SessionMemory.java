package io.onceward.benchmarks;

/**
 * A memory of clients that ask one request after the other, as one thread that applies a log drives
 * it. Each request says that the reply before was taken, so one reply per client is remembered,
 * with its fingerprint, log position and log time, until the client has been idle for too long.
 */
public interface SessionMemory {
  /** How long a client may be idle. */
  long EXPIRY_MILLIS = 300_000;

  /** A client that will ask; clients are numbered from 0. */
  void open(int client, long timeMillis);

  /** Makes requests ready, in place of those before: for each client, the sequence beside it. */
  void prepare(int[] clients, int[] sequences, int count);

  /**
   * Lets time pass, drops what is due, then judges and remembers the prepared requests of one log
   * entry, all of which are new.
   *
   * @throws IllegalStateException if one of them is not the next of its client
   */
  void remember(int from, int to, long position, long timeMillis);

  /** Lets go of the prepared requests, so that they do not count as memory of the table. */
  void release();

  /** How many clients are remembered. */
  long size();
}
