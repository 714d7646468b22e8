package io.onceward.guard;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What all copies that pass one guard share. */
record GuardSetup(
    ClaimStore store,
    ConcurrentHashMap<GuardedId, Flight> flights,
    ClaimTerms terms,
    long leaseNanos,
    long waitNanos,
    Duration pollEvery,
    int maxReplyBytes,
    long retryUnknownMillis,
    Function<? super Throwable, Meaning> classify,
    Function<? super Throwable, Bytes> businessReply,
    @Nullable Probe probe) {

  /** What is kept of a reply (E9). */
  Reply kept(Reply reply) {
    return reply.bytes().length() > maxReplyBytes ? Reply.REPLY_TOO_LARGE : reply;
  }
}
