package io.onceward.wire;

import io.onceward.ClientKind;
import io.onceward.replica.Parameter;

/**
 * How often a cluster wants to hear from idle sessions, and when it forgets them (S7). A node tells
 * it to each conversation without being asked, and again when it changes.
 */
public record Timing(long keepAliveMillis, long sessionExpiryMillis, long durableExpiryMillis) {
  /** What applies before anyone sets it, and is assumed of a node that does not tell. */
  public static final Timing INITIAL =
      new Timing(
          Parameter.KEEP_ALIVE_MILLIS.initial(),
          Parameter.SESSION_EXPIRY_MILLIS.initial(),
          Parameter.DURABLE_EXPIRY_MILLIS.initial());

  /** A thousand years: sums with it do not overflow. */
  private static final long MOST_MILLIS = 1_000L * 365 * 24 * 3_600_000;

  public Timing {
    if (!isPossible(keepAliveMillis, sessionExpiryMillis, durableExpiryMillis)) {
      throw new IllegalArgumentException(
          "times must be 1 to "
              + MOST_MILLIS
              + " ms, got keep-alive "
              + keepAliveMillis
              + ", expiry "
              + sessionExpiryMillis
              + ", of durable sessions "
              + durableExpiryMillis);
    }
  }

  static boolean isPossible(long keepAliveMillis, long sessionExpiry, long durableExpiry) {
    long least = Math.min(keepAliveMillis, Math.min(sessionExpiry, durableExpiry));
    long most = Math.max(keepAliveMillis, Math.max(sessionExpiry, durableExpiry));
    return least >= 1 && most <= MOST_MILLIS;
  }

  /** How long a session of this kind may be idle. */
  public long expiryMillis(ClientKind kind) {
    return kind == ClientKind.DURABLE ? durableExpiryMillis : sessionExpiryMillis;
  }
}
