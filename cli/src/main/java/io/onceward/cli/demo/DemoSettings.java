package io.onceward.cli.demo;

/**
 * What the user asked for.
 *
 * @param perSecond how many errands all clients together run at most
 * @param keep whether data and records stay when all is over
 */
record DemoSettings(
    long seed, int seconds, int nodes, int perSecond, boolean faults, boolean keep) {

  long lengthMillis() {
    return seconds * 1_000L;
  }

  /** The words that play the same faults again. */
  String replay() {
    StringBuilder words = new StringBuilder("onceward demo --seed ").append(seed);
    words.append(" --seconds ").append(seconds).append(" --nodes ").append(nodes);
    words.append(" --rate ").append(perSecond);
    return faults ? words.toString() : words.append(" --no-faults").toString();
  }
}
