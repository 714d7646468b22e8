package io.onceward.http;

import io.onceward.Executed;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ruling;
import java.time.Duration;
import java.util.Locale;

/**
 * An answer of Onceward itself, as RFC 9457 has it: each case has a {@code type} of its own, and
 * tells whether the request executed and whether sending the same key again can lead to a decision
 * (O3).
 *
 * @param retryAfterSeconds when to send it again; 0 if it makes no sense to say
 */
public record Problem(
    int status,
    String type,
    String title,
    String detail,
    Executed executed,
    boolean mayResend,
    long retryAfterSeconds) {
  public static final String MEDIA_TYPE = "application/problem+json";
  private static final String TYPES = "urn:onceward:problem:";
  private static final String UNKNOWN = "unknown-outcome";

  /** The type of the answer that nobody knows. */
  static final String UNKNOWN_OUTCOME = TYPES + UNKNOWN;

  /** There is no key where one is needed. */
  public static Problem missingKey(String detail) {
    return atTheDoor(400, "missing-key", "The request has no key", detail);
  }

  /** What is there for a key is none. */
  public static Problem malformedKey(String why) {
    return malformedKeyInBody("send one key, as a string in quotes or as a bare word: " + why);
  }

  /** The same of a key that is in no header. */
  static Problem malformedKeyInBody(String why) {
    return atTheDoor(400, "malformed-key", "The request's key is none", why);
  }

  /** The same, where a mismatch has another status than 422. */
  static Problem of(Ruling ruling, int mismatchStatus) {
    Problem problem = of(ruling);
    boolean isMismatch =
        ruling instanceof Ruling.Refused refused && refused.refusal() == Refusal.MISMATCH;
    return !isMismatch
        ? problem
        : new Problem(
            mismatchStatus,
            problem.type,
            problem.title,
            problem.detail,
            problem.executed,
            problem.mayResend,
            problem.retryAfterSeconds);
  }

  /** What a copy is told that got this ruling, and no reply by it. */
  public static Problem of(Ruling ruling) {
    if (ruling instanceof Ruling.Replied replied) {
      return replied.reply().kind() == Reply.Kind.FAILED ? failed() : replyNotKept();
    }
    if (ruling instanceof Ruling.Refused refused) {
      return refused(refused.refusal(), refused.executed(), refused.limit());
    }
    if (ruling instanceof Ruling.InProgress inProgress) {
      return inProgress(inProgress.retryAfter());
    }
    if (ruling instanceof Ruling.DidNotHappen) {
      return didNotHappen();
    }
    if (ruling instanceof Ruling.NoStore) {
      return noStore();
    }
    return ruling instanceof Ruling.Unknown unknown && unknown.resendSettles()
        ? unknown(
            "the answer to its commit was lost; send it again with the same key, and the answer"
                + " tells. Do not send it under another key",
            1)
        : unknown(
            "it was started and did not end with a decision; it is not executed again until a probe"
                + " or an operator has found out. Do not send it under another key",
            0);
  }

  static Problem bodyTooLarge(String why) {
    return atTheDoor(413, "body-too-large", "The body is too large to compare with a retry", why);
  }

  private static Problem atTheDoor(int status, String type, String title, String detail) {
    return new Problem(status, type, title, detail, Executed.NOT_THIS_COPY, false, 0);
  }

  private static Problem refused(Refusal refusal, Executed executed, String limit) {
    int status =
        switch (refusal) {
          case MISMATCH -> 422;
          case ACKNOWLEDGED, ABANDONED, FORGOTTEN -> 410;
          case FROM_THE_FUTURE, UNDATED, MALFORMED -> 400;
          case TOO_LARGE -> 413;
          case OVERLOADED -> 503;
          case WINDOW_EXCEEDED, BAD_WATERMARK, OUT_OF_ORDER, SUPERSEDED, NO_SESSION -> 409;
        };
    String title =
        switch (refusal) {
          case MISMATCH -> "The key was used for another request";
          case ACKNOWLEDGED, FORGOTTEN -> "The answer to this key is no longer kept";
          case ABANDONED -> "The key was given up";
          case FROM_THE_FUTURE -> "The key is dated in the future";
          case UNDATED -> "The key has no date";
          case OVERLOADED -> "There is no room for new requests";
          case TOO_LARGE -> "A part of the request is over its limit";
          case MALFORMED, WINDOW_EXCEEDED, BAD_WATERMARK, OUT_OF_ORDER, SUPERSEDED, NO_SESSION ->
              "The request was refused";
        };
    return new Problem(
        status,
        refusal.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        title,
        refusal.advice() + (limit.isEmpty() ? "" : " (limit: " + limit + ")"),
        executed,
        refusal.mayResend(),
        refusal == Refusal.OVERLOADED ? 1 : 0);
  }

  private static Problem replyNotKept() {
    return new Problem(
        410,
        "reply-not-kept",
        "The request was executed, but its answer is not kept",
        "it executed exactly once; its answer was too large to remember or is not known, and it is"
            + " not executed again",
        Executed.YES,
        false,
        0);
  }

  private static Problem failed() {
    return new Problem(
        500,
        "failed",
        "The request was executed and failed",
        "it executed, perhaps in part, and is not executed again",
        Executed.YES,
        false,
        0);
  }

  private static Problem inProgress(Duration retryAfter) {
    return new Problem(
        409,
        "in-progress",
        "The first copy of this request is still running",
        "send the same request with the same key again later",
        Executed.NOT_THIS_COPY,
        true,
        seconds(retryAfter));
  }

  private static Problem unknown(String detail, long retryAfterSeconds) {
    return new Problem(
        409,
        UNKNOWN,
        "Nobody knows whether this request took effect",
        detail,
        Executed.UNKNOWN,
        true,
        retryAfterSeconds);
  }

  private static Problem didNotHappen() {
    return new Problem(
        503,
        "did-not-happen",
        "The request did not take effect",
        "send it again with the same key, and it runs",
        Executed.NOT_THIS_COPY,
        true,
        1);
  }

  private static Problem noStore() {
    return new Problem(
        503,
        "store-unavailable",
        "The memory of past requests cannot be reached",
        "nothing was executed, because nobody could tell whether this request is new; send it again"
            + " with the same key",
        Executed.NOT_THIS_COPY,
        true,
        1);
  }

  private static long seconds(Duration duration) {
    return Math.max(1, duration.plusMillis(999).toSeconds());
  }

  /** With the words of the promises, such as {@code "not-this-copy"}. */
  public String toJson() {
    return "{\"type\":\""
        + TYPES
        + type
        + "\",\"title\":"
        + Json.string(title)
        + ",\"status\":"
        + status
        + ",\"detail\":"
        + Json.string(detail)
        + ",\"executed\":\""
        + executed.name().toLowerCase(Locale.ROOT).replace('_', '-')
        + "\",\"mayResend\":"
        + mayResend
        + "}";
  }

  /** For an error that the application sent without a page: no case of the filter's own. */
  static String aboutBlank(int status, String title) {
    return "{\"type\":\"about:blank\",\"title\":"
        + Json.string(title)
        + ",\"status\":"
        + status
        + "}";
  }
}
