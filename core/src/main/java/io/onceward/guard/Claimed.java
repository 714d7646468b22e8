package io.onceward.guard;

import io.onceward.Refusal;
import io.onceward.Reply;

/** What a store answers to a claim. */
public sealed interface Claimed {
  /** The request is the caller's: run the effect, then tell the store how it ended. */
  record Started(long fence) implements Claimed {}

  /** Another run holds the lease. */
  record Running(long leaseLeftMillis) implements Claimed {}

  /** It was decided; this is the reply. */
  record Done(Reply reply) implements Claimed {}

  /** It was started and its lease is over, or its effect failed without telling what it did. */
  record Unknown(UnknownRequest request) implements Claimed {}

  /**
   * Turned away: {@code MISMATCH}, {@code FORGOTTEN}, {@code FROM_THE_FUTURE}, {@code OVERLOADED},
   * {@code TOO_LARGE}.
   *
   * @param limit the name of the limit that was met, or empty
   */
  record Refused(Refusal refusal, String limit) implements Claimed {
    public Refused(Refusal refusal) {
      this(refusal, "");
    }
  }
}
