package io.onceward.testkit.audit;

/** Log time and age, counted from the committed entries alone (T2, T3). */
public final class LogClock {
  private long timeMillis;
  private long stampMillis;
  private long ageMillis;
  private long term = -1;

  /**
   * Goes on to the next entry.
   *
   * @param keepAliveMillis the parameter as it stood before the entry
   */
  void enter(long entryTerm, long stampMillis, long keepAliveMillis) {
    if (entryTerm == term) {
      long passed = Math.max(0, stampMillis - this.stampMillis);
      ageMillis += Math.min(passed, 2 * keepAliveMillis);
    }
    term = entryTerm;
    this.stampMillis = stampMillis;
    timeMillis = Math.max(timeMillis, stampMillis);
  }

  public long timeMillis() {
    return timeMillis;
  }

  public long ageMillis() {
    return ageMillis;
  }
}
