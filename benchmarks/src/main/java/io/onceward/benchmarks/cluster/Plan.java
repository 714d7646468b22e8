package io.onceward.benchmarks.cluster;

/**
 * How much is measured, and how often.
 *
 * @param passes how often a new cluster is started and measured
 * @param runs how often each load is measured in one pass
 * @param seconds how long each of these runs is
 * @param leadMillis how long a load goes on before each run
 * @param warmSeconds how long a new cluster is kept busy before anything is measured
 * @param clients how many client processes share a load
 * @param openSessions how many sessions are open when most are idle
 * @param kills how often a leader is killed
 * @param starts how often a server is started alone
 */
record Plan(
    int passes,
    int runs,
    int seconds,
    int leadMillis,
    int warmSeconds,
    int clients,
    int openSessions,
    int kills,
    int starts) {

  /** What the targets speak of. */
  static final Plan STANDARD = new Plan(2, 3, 10, 3_000, 28, 1, 100_000, 10, 5);

  /** A short run, to see that everything works. */
  static final Plan QUICK = new Plan(1, 1, 2, 500, 4, 1, 2_000, 2, 1);

  Plan withPasses(int passes) {
    return new Plan(
        passes, runs, seconds, leadMillis, warmSeconds, clients, openSessions, kills, starts);
  }

  Plan withRuns(int runs) {
    return new Plan(
        passes, runs, seconds, leadMillis, warmSeconds, clients, openSessions, kills, starts);
  }

  Plan withSeconds(int seconds) {
    return new Plan(
        passes, runs, seconds, leadMillis, warmSeconds, clients, openSessions, kills, starts);
  }

  Plan withClients(int clients) {
    return new Plan(
        passes, runs, seconds, leadMillis, warmSeconds, clients, openSessions, kills, starts);
  }

  Load load(Load.Way way, int sessions, int inFlight) {
    return Load.of(way, sessions, inFlight, leadMillis, seconds * 1_000);
  }
}
