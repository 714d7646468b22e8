package io.onceward.guard;

import io.onceward.Reply;
import java.time.Instant;

/**
 * What is known about a request when somebody asks (O1). Asking decides nothing, and changes
 * nothing.
 */
public sealed interface GuardedOutcome {

  /**
   * It executed, once; this is what it answered.
   *
   * @param started when, by the store's clock
   */
  record Executed(Reply reply, Instant started) implements GuardedOutcome {}

  /** A run holds the lease. A hint: it may have ended by now. */
  record Running(long leaseLeftMillis) implements GuardedOutcome {}

  /** It was started, and a probe or an operator has to resolve what became of it. */
  record Unknown(UnknownRequest request) implements GuardedOutcome {}

  /** All runs so far did not happen. The next copy runs it; {@code abandon} keeps it from that. */
  record DidNotHappen() implements GuardedOutcome {}

  /** It was decided, its reply was taken, and is no longer kept. */
  record Acknowledged() implements GuardedOutcome {}

  /** It was abandoned before it took effect. */
  record Abandoned() implements GuardedOutcome {}

  /**
   * There is no record, and records this old have been dropped: it may have executed before.
   *
   * @param horizonMicros up to when records are gone, in microseconds since the epoch: of dated
   *     keys by the dates of the keys, of others by the time of their start
   */
  record NoRecordSince(long horizonMicros) implements GuardedOutcome {}

  /** There is no record. That is not a decision: a copy may still be under way. */
  record NeverSeen() implements GuardedOutcome {}
}
