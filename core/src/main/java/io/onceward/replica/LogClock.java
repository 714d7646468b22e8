package io.onceward.replica;

/**
 * Where the log stands, what time it tells (T2), and how long the cluster has been at work (T3).
 *
 * <p>Log time follows the leaders' stamps and never goes back. Age is what expiry is measured by:
 * it grows from stamp to stamp within a term, by no more than two keep-alive intervals per entry,
 * and by nothing across a change of leader, so that neither an outage nor a clock that jumps makes
 * anything expire. It is not taken from log time, because one stamp that is a year ahead holds log
 * time still for a year, and nothing would expire until then.
 */
final class LogClock {
  private long position;
  private long term;
  private long stampMillis;
  private long timeMillis;
  private long ageMillis;

  void advance(long position, long term, long stampMillis, long keepAliveMillis) {
    boolean first = this.position == 0;
    if (!first && term == this.term && stampMillis > this.stampMillis) {
      long passed = stampMillis - this.stampMillis;
      // Stamps that are further apart than a long can tell have a negative difference.
      ageMillis += passed < 0 ? 2 * keepAliveMillis : Math.min(passed, 2 * keepAliveMillis);
    }
    this.position = position;
    this.term = term;
    this.stampMillis = stampMillis;
    timeMillis = Math.max(timeMillis, stampMillis);
  }

  void restore(long position, long term, long stampMillis, long timeMillis, long ageMillis) {
    this.position = position;
    this.term = term;
    this.stampMillis = stampMillis;
    this.timeMillis = timeMillis;
    this.ageMillis = ageMillis;
  }

  long position() {
    return position;
  }

  long term() {
    return term;
  }

  /** The stamp of the last applied entry, which log time may be ahead of. */
  long stampMillis() {
    return stampMillis;
  }

  long timeMillis() {
    return timeMillis;
  }

  long ageMillis() {
    return ageMillis;
  }
}
