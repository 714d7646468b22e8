package io.onceward.replica;

/**
 * Where the log stands, what time it tells (T2), and how long the cluster has been at work (T3).
 *
 * <p>Log time follows the leaders' stamps and never goes back. Age is what expiry is measured by:
 * it grows by no more than two keep-alive intervals per entry and by nothing across a change of
 * leader, so that neither an outage nor a clock that jumps makes anything expire.
 */
final class LogClock {
  private long position;
  private long term;
  private long timeMillis;
  private long ageMillis;

  void advance(long position, long term, long stampMillis, long keepAliveMillis) {
    long time = Math.max(timeMillis, stampMillis);
    boolean first = this.position == 0;
    if (!first && term == this.term) {
      ageMillis += Math.min(time - timeMillis, 2 * keepAliveMillis);
    }
    this.position = position;
    this.term = term;
    this.timeMillis = time;
  }

  void restore(long position, long term, long timeMillis, long ageMillis) {
    this.position = position;
    this.term = term;
    this.timeMillis = timeMillis;
    this.ageMillis = ageMillis;
  }

  long position() {
    return position;
  }

  long term() {
    return term;
  }

  long timeMillis() {
    return timeMillis;
  }

  long ageMillis() {
    return ageMillis;
  }
}
