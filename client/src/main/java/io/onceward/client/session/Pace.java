package io.onceward.client.session;

import io.onceward.ClientKind;
import io.onceward.wire.Timing;

/**
 * How patient a client is.
 *
 * @param retryDelayMillis how long after a copy was turned away the next one is sent; constant,
 *     because growing delays hide an outage and slow the recovery from it (C1)
 * @param answerTimeoutMillis how long a copy may stay without an answer before it is sent again
 * @param keepAliveMillis after how long without anything applied a session says that it is there,
 *     if that is sooner than the cluster wants it (C3)
 */
public record Pace(long retryDelayMillis, long answerTimeoutMillis, long keepAliveMillis) {
  /** Idle sessions speak as often as the cluster wants. */
  public static final long AS_THE_CLUSTER_WANTS = Long.MAX_VALUE;

  /** What applies if nobody says otherwise. */
  public static final Pace USUAL = new Pace(100, 2_000, AS_THE_CLUSTER_WANTS);

  public Pace {
    if (retryDelayMillis < 1 || answerTimeoutMillis < 1 || keepAliveMillis < 1) {
      throw new IllegalArgumentException(
          "times must be 1 ms or more, got retry delay "
              + retryDelayMillis
              + ", answer timeout "
              + answerTimeoutMillis
              + ", keep-alive "
              + keepAliveMillis);
    }
  }

  /**
   * After how long without anything applied a session of this kind says that it is there: as the
   * cluster or the user wants, and never so late that one lost message makes it expire.
   */
  public long keepAliveMillis(Timing timing, ClientKind kind) {
    long third = Math.max(1, timing.expiryMillis(kind) / 3);
    return Math.min(keepAliveMillis, Math.min(timing.keepAliveMillis(), third));
  }
}
