package io.onceward.testkit.audit;

/** Log time and age, counted from the committed entries alone (T2, T3). */
public final class LogClock {
  private long timeMillis;
  private long ageMillis;
  private long term = -1;

  /**
   * Goes on to the next entry.
   *
   * @param keepAliveMillis the parameter as it stood before the entry
   */
  void enter(long entryTerm, long stampMillis, long keepAliveMillis) {
    long later = Math.max(timeMillis, stampMillis);
    if (entryTerm == term) {
      ageMillis += Math.min(later - timeMillis, 2 * keepAliveMillis);
    }
    term = entryTerm;
    timeMillis = later;
  }

  public long timeMillis() {
    return timeMillis;
  }

  public long ageMillis() {
    return ageMillis;
  }
}
