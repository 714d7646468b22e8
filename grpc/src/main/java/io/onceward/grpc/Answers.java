package io.onceward.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.onceward.Executed;
import io.onceward.Refusal;
import io.onceward.guard.Ruling;
import java.util.Locale;

/**
 * What a copy of a call is told that has no reply: a status, and in the trailers what it may
 * conclude (O3).
 */
record Answers(Status status, String problem, Executed executed, boolean mayResend, long pushback) {
  static final Metadata.Key<String> REPLAYED = key("idempotent-replayed");
  static final Metadata.Key<String> PROBLEM = key("onceward-problem");
  static final Metadata.Key<String> EXECUTED = key("onceward-executed");
  static final Metadata.Key<String> MAY_RESEND = key("onceward-may-resend");

  /** Understood by the retries that gRPC clients have built in. */
  static final Metadata.Key<String> PUSHBACK = key("grpc-retry-pushback-ms");

  private static final String UNKNOWN_OUTCOME = "unknown-outcome";
  private static final long NO_PUSHBACK = -1;
  private static final long SOON_MILLIS = 1000;

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  static Answers badKey(String problem, String why) {
    return new Answers(
        Status.INVALID_ARGUMENT.withDescription(why),
        problem,
        Executed.NOT_THIS_COPY,
        false,
        NO_PUSHBACK);
  }

  static Answers of(Ruling ruling) {
    if (ruling instanceof Ruling.Replied replied) {
      return switch (replied.reply().kind()) {
        case FAILED ->
            decided(Status.INTERNAL, "failed", "it executed, perhaps in part, and failed", ruling);
        case OK, BUSINESS_ERROR, REPLY_TOO_LARGE ->
            decided(
                Status.ALREADY_EXISTS,
                "reply-not-kept",
                "it executed exactly once; its reply was too large to remember or is not known",
                ruling);
      };
    }
    if (ruling instanceof Ruling.Refused refused) {
      return refused(refused.refusal(), ruling.executed(), refused.limit());
    }
    if (ruling instanceof Ruling.InProgress inProgress) {
      return new Answers(
          Status.ABORTED.withDescription(
              "the first copy of this call is still running; send it again with the same key"),
          "in-progress",
          ruling.executed(),
          true,
          inProgress.retryAfter().toMillis());
    }
    if (ruling instanceof Ruling.DidNotHappen) {
      return new Answers(
          Status.UNAVAILABLE.withDescription(
              "the call did not take effect; send it again with the same key, and it runs"),
          "did-not-happen",
          ruling.executed(),
          true,
          SOON_MILLIS);
    }
    if (ruling instanceof Ruling.NoStore) {
      return new Answers(
          Status.UNAVAILABLE.withDescription(
              "the memory of past calls cannot be reached, so nothing was executed"),
          "store-unavailable",
          ruling.executed(),
          true,
          SOON_MILLIS);
    }
    if (ruling instanceof Ruling.Unknown unknown && unknown.resendSettles()) {
      return new Answers(
          Status.ABORTED.withDescription(
              "the answer to the commit of this call was lost; send it again with the same key, and"
                  + " the answer tells. Do not send it under another key"),
          UNKNOWN_OUTCOME,
          Executed.UNKNOWN,
          true,
          SOON_MILLIS);
    }
    return new Answers(
        Status.FAILED_PRECONDITION.withDescription(
            "nobody knows whether this call took effect; it is not executed again until a probe or"
                + " an operator has found out. Do not send it under another key"),
        UNKNOWN_OUTCOME,
        Executed.UNKNOWN,
        true,
        NO_PUSHBACK);
  }

  private static Answers decided(Status status, String problem, String why, Ruling ruling) {
    return new Answers(status.withDescription(why), problem, ruling.executed(), false, NO_PUSHBACK);
  }

  private static Answers refused(Refusal refusal, Executed executed, String limit) {
    Status status =
        switch (refusal) {
          case MISMATCH, FROM_THE_FUTURE, UNDATED, MALFORMED -> Status.INVALID_ARGUMENT;
          case OVERLOADED, TOO_LARGE -> Status.RESOURCE_EXHAUSTED;
          case ACKNOWLEDGED,
              ABANDONED,
              FORGOTTEN,
              WINDOW_EXCEEDED,
              BAD_WATERMARK,
              OUT_OF_ORDER,
              SUPERSEDED,
              NO_SESSION ->
              Status.FAILED_PRECONDITION;
        };
    return new Answers(
        status.withDescription(
            refusal.advice() + (limit.isEmpty() ? "" : " (limit: " + limit + ")")),
        refusal.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        executed,
        refusal.mayResend(),
        refusal == Refusal.OVERLOADED ? SOON_MILLIS : NO_PUSHBACK);
  }

  Metadata trailers() {
    Metadata trailers = new Metadata();
    trailers.put(PROBLEM, problem);
    trailers.put(EXECUTED, executed.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    trailers.put(MAY_RESEND, Boolean.toString(mayResend));
    if (pushback != NO_PUSHBACK) {
      trailers.put(PUSHBACK, Long.toString(pushback));
    }
    return trailers;
  }
}
