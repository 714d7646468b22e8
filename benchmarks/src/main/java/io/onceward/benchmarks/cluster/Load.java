package io.onceward.benchmarks.cluster;

/**
 * What the client processes are to do for a while.
 *
 * @param sessions how many sessions to open
 * @param active how many of them have requests; the others only stay open
 * @param inFlight requests that wait for an answer at any time, shared among the active sessions
 * @param twicePercent how many of a hundred requests are sent twice; only for {@link Way#WIRE}
 * @param leadMillis how long to go on before measuring
 * @param millis how long to measure
 */
record Load(
    Way way, int sessions, int active, int inFlight, int twicePercent, int leadMillis, int millis) {

  /** How requests are asked. */
  enum Way {
    /** In sessions of the client library, so each has an id. */
    SESSION,
    /** Through the client library without ids. */
    UNKEYED,
    /** Reads through the client library, each of them confirmed by a majority; none is logged. */
    QUERY,
    /** In a session of the client library, by a thread that waits for each reply. */
    BLOCKING,
    /** In sessions whose frames this program makes itself, to send any of them twice. */
    WIRE
  }

  static Load of(Way way, int sessions, int inFlight, int leadMillis, int millis) {
    return new Load(way, sessions, sessions, inFlight, 0, leadMillis, millis);
  }

  Load withIdle(int allSessions) {
    return new Load(way, allSessions, active, inFlight, twicePercent, leadMillis, millis);
  }

  Load withTwice(int percent) {
    return new Load(way, sessions, active, inFlight, percent, leadMillis, millis);
  }

  /** The part of one of several client processes, of which each has at least one request. */
  Load shareOf(int processes) {
    return new Load(
        way,
        Math.max(1, sessions / processes),
        Math.max(1, active / processes),
        Math.max(1, inFlight / processes),
        twicePercent,
        leadMillis,
        millis);
  }

  Words words() {
    return new Words()
        .with("way", way)
        .with("sessions", sessions)
        .with("active", active)
        .with("inFlight", inFlight)
        .with("twicePercent", twicePercent)
        .with("leadMillis", leadMillis)
        .with("millis", millis);
  }

  static Load parse(Words words) {
    return new Load(
        Way.valueOf(words.text("way")),
        words.number("sessions"),
        words.number("active"),
        words.number("inFlight"),
        words.number("twicePercent"),
        words.number("leadMillis"),
        words.number("millis"));
  }
}
