package io.onceward.benchmarks;

import java.util.SplittableRandom;

/**
 * One memory of clients that ask at random, each once in ten seconds on average, so that none
 * expires; but every one is looked at in its time.
 */
final class SessionRun {
  /** Requests in one log entry. */
  static final int BATCH = 64;

  private static final int PREPARED = 4_096;
  static final double MILLIS_BETWEEN_REQUESTS_OF_A_CLIENT = 10_000;

  /** Openings are spread over nearly the time to expiry, so that clients are due evenly. */
  static final double OPENING_MILLIS = SessionMemory.EXPIRY_MILLIS * 0.9;

  private final SessionMemory memory;
  private final int sessions;
  private final int[] sequenceOf;
  private final int[] clients = new int[PREPARED];
  private final int[] sequences = new int[PREPARED];
  private final SplittableRandom random = new SplittableRandom(1);
  private long asked;
  private long position;

  /**
   * Takes a memory with nothing in it.
   *
   * @param sequenceOf an array of zeros as long as there are sessions; made by the caller, so that
   *     it does not count as memory of the table
   */
  SessionRun(SessionMemory memory, int[] sequenceOf) {
    this.memory = memory;
    this.sessions = sequenceOf.length;
    this.sequenceOf = sequenceOf;
  }

  void openAll() {
    for (int client = 0; client < sessions; client++) {
      memory.open(client, openingMillis(client));
    }
    position = sessions;
  }

  private long openingMillis(int client) {
    return (long) (OPENING_MILLIS / sessions * client);
  }

  /** One request of each client, in the order of opening. */
  void askEachOnce() {
    for (int done = 0; done < sessions; done += PREPARED) {
      int count = Math.min(PREPARED, sessions - done);
      for (int i = 0; i < count; i++) {
        clients[i] = done + i;
        sequences[i] = ++sequenceOf[clients[i]];
      }
      memory.prepare(clients, sequences, count);
      rememberPrepared(count, BATCH);
    }
    memory.release();
  }

  /** Requests of clients taken at random, in log entries of so many. */
  Meter remember(int requests, int batch) {
    Meter meter = new Meter();
    for (int done = 0; done < requests; done += PREPARED) {
      int count = Math.min(PREPARED, requests - done);
      for (int i = 0; i < count; i++) {
        clients[i] = random.nextInt(sessions);
        sequences[i] = ++sequenceOf[clients[i]];
      }
      memory.prepare(clients, sequences, count);
      meter.start();
      rememberPrepared(count, batch);
      meter.stop();
    }
    return meter;
  }

  private void rememberPrepared(int count, int batch) {
    double millisPerRequest = MILLIS_BETWEEN_REQUESTS_OF_A_CLIENT / sessions;
    for (int from = 0; from < count; from += batch) {
      long timeMillis = (long) (OPENING_MILLIS + (asked + from) * millisPerRequest);
      memory.remember(from, Math.min(from + batch, count), ++position, timeMillis);
    }
    asked += count;
  }

  /** Checks that nobody was lost. */
  void check() {
    if (memory.size() != sessions) {
      throw new IllegalStateException(
          "the table holds " + memory.size() + " sessions where " + sessions + " were opened");
    }
  }
}
