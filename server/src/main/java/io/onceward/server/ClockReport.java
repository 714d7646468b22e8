package io.onceward.server;

/**
 * Finds the words when a leader's stamps and its wall clock are far apart, once when that begins
 * and once when it is over (T2: a difference is reported, not followed).
 *
 * <p>A plain object: the difference is an argument.
 */
final class ClockReport {
  static final long FAR_MILLIS = 10_000;

  /** It is over only well below, so that a difference near the bound is not reported for ever. */
  static final long NEAR_MILLIS = 5_000;

  private boolean far;

  /**
   * What there is to report now; empty if nothing has changed. A node that stops leading reports
   * nothing: nobody knows whether its clock has become right.
   *
   * @param aheadMillis how far the leader's stamps are ahead of its wall clock
   */
  String news(boolean leads, long aheadMillis) {
    if (!leads) {
      far = false;
      return "";
    }
    long apart = Math.abs(aheadMillis);
    if (far ? apart > NEAR_MILLIS : apart <= FAR_MILLIS) {
      return "";
    }
    far = !far;
    if (!far) {
      return "the wall clock of this node is no longer far from the time it stamps entries with";
    }
    boolean stampsAhead = aheadMillis > 0;
    return "the wall clock of this leader is "
        + apart / 1_000
        + " s "
        + (stampsAhead ? "behind" : "ahead of")
        + " the time it stamps entries with, which approaches it by a tenth of the time that"
        + " passes; is the clock right?"
        + (stampsAhead
            ? " If it is, transfer the leadership: the next leader stamps by its own clock"
            : "");
  }
}
