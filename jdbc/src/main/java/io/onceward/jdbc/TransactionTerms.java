package io.onceward.jdbc;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.GuardListener;
import io.onceward.guard.Meaning;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

/** How a {@link OnceTransaction} was set up. */
record TransactionTerms(
    long retentionMillis,
    long waitMillis,
    int attempts,
    long retryMillis,
    int maxReplyBytes,
    Function<Throwable, Meaning> classify,
    Function<Throwable, Bytes> businessReply,
    Predicate<? super Scope> datedOnly,
    GuardListener listener) {

  /** What the sender of a copy that waited in vain is told to wait. */
  Duration retryAfter() {
    return Duration.ofSeconds(1);
  }

  /** The reply as it is remembered, and so as everybody is told (E9). */
  Reply remembered(Reply reply) {
    return reply.bytes().length() > maxReplyBytes ? Reply.REPLY_TOO_LARGE : reply;
  }
}
