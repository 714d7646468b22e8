package io.onceward.guard;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.Scope;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
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
    BiConsumer<? super GuardedId, ? super Reply> checkReply,
    Predicate<? super Scope> datedOnly,
    StoreClock clock) {

  /** Monotonic, and of this process: what waits and leases are measured with here. */
  long now() {
    return clock.nanos();
  }

  /** Whether this id runs only if it has before: its scope accepts no new one of its kind (K5). */
  boolean mustBeKnown(GuardedId id) {
    return !id.key().isDated() && datedOnly.test(id.scope());
  }

  /** For a copy whose caller waits as long as this, and not as long as others do. */
  GuardSetup waitingAtMost(Duration waitAtMost) {
    return new GuardSetup(
        store,
        atOnce,
        flights,
        terms,
        lease,
        Guard.Builder.checked("waitAtMost", waitAtMost, Duration.ZERO).toNanos(),
        pollEvery,
        maxReplyBytes,
        retryUnknownMillis,
        classify,
        businessReply,
        probe,
        checkReply,
        datedOnly,
        clock);
  }

  /** What is kept of a reply (E9). */
  Reply kept(Reply reply) {
    return reply.bytes().length() > maxReplyBytes ? Reply.REPLY_TOO_LARGE : reply;
  }
}
