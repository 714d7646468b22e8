package io.onceward.client.session;

/**
 * How patient a client is.
 *
 * @param retryDelayMillis how long after a copy was turned away the next one is sent; constant,
 *     because growing delays hide an outage and slow the recovery from it (C1)
 * @param answerTimeoutMillis how long a copy may stay without an answer before it is sent again
 * @param keepAliveMillis after how long without anything applied a session says that it is there
 *     (C3). A keep-alive is answered with the next log entry, at the latest after this time again
 */
public record Pace(long retryDelayMillis, long answerTimeoutMillis, long keepAliveMillis) {
  /** What applies if nobody says otherwise. */
  public static final Pace USUAL = new Pace(100, 2_000, 10_000);

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
}
