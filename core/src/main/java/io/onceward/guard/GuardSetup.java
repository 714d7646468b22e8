package io.onceward.guard;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What all copies that pass one guard share.
 *
 * @param atOnce whether the store is memory of this process, so that asking it costs nothing
 */
record GuardSetup(
    ClaimStore store,
    boolean atOnce,
    ConcurrentHashMap<GuardedId, Flight> flights,
    ClaimTerms terms,
    Duration lease,
    long waitNanos,
    Duration pollEvery,
    int maxReplyBytes,
    long retryUnknownMillis,
    Function<? super Throwable, Meaning> classify,
    Function<? super Throwable, Bytes> businessReply,
    @Nullable Probe probe,
    StoreClock clock) {

  /** Monotonic, and of this process: what waits and leases are measured with here. */
  long now() {
    return clock.nanos();
  }

  /** What is kept of a reply (E9). */
  Reply kept(Reply reply) {
    return reply.bytes().length() > maxReplyBytes ? Reply.REPLY_TOO_LARGE : reply;
  }
}
