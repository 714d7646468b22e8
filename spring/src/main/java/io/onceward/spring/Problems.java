package io.onceward.spring;

import io.onceward.Executed;
import io.onceward.guard.Ruling;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers of Onceward itself as {@code application/problem+json} (RFC 9457), with the same types
 * and words as those of the filter. An advice of the application that comes earlier may say it
 * otherwise.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
class Problems {
  @ExceptionHandler(KeyException.class)
  ResponseEntity<ProblemDetail> key(KeyException e) {
    return answer(
        400,
        e.missing() ? "missing-key" : "malformed-key",
        e.missing() ? "The request has no key" : "The key of the request is none",
        String.valueOf(e.getMessage()),
        Executed.NOT_THIS_COPY,
        false,
        Duration.ZERO);
  }

  @ExceptionHandler(NoReplyException.class)
  ResponseEntity<ProblemDetail> noReply(NoReplyException e) {
    Ruling ruling = e.ruling();
    if (ruling instanceof Ruling.Refused refused) {
      return refused(refused);
    }
    if (ruling instanceof Ruling.InProgress inProgress) {
      return answer(
          409,
          "in-progress",
          "The first copy of this request is still running",
          "send the same request with the same key again later",
          e.executed(),
          true,
          inProgress.retryAfter());
    }
    if (ruling instanceof Ruling.Unknown) {
      return answer(
          409,
          "unknown-outcome",
          "Nobody knows whether this request took effect",
          "it was started and did not end with a decision; it is not executed again until a probe"
              + " or an operator has found out. Do not send it under another key",
          e.executed(),
          true,
          Duration.ZERO);
    }
    if (ruling instanceof Ruling.Replied) {
      return answer(
          410,
          "reply-not-kept",
          "The request was executed, but its answer is not kept",
          "it executed exactly once and is not executed again",
          e.executed(),
          false,
          Duration.ZERO);
    }
    boolean away = ruling instanceof Ruling.NoStore;
    return answer(
        503,
        away ? "store-unavailable" : "did-not-happen",
        away ? "The memory of past requests cannot be reached" : "The request did not take effect",
        "nothing was executed; send it again with the same key",
        e.executed(),
        true,
        Duration.ofSeconds(1));
  }

  private static ResponseEntity<ProblemDetail> refused(Ruling.Refused refused) {
    int status =
        switch (refused.refusal()) {
          case MISMATCH -> 422;
          case ACKNOWLEDGED, ABANDONED, FORGOTTEN -> 410;
          case FROM_THE_FUTURE, UNDATED, MALFORMED -> 400;
          case TOO_LARGE -> 413;
          case OVERLOADED -> 503;
          case WINDOW_EXCEEDED, BAD_WATERMARK, OUT_OF_ORDER, SUPERSEDED, NO_SESSION -> 409;
        };
    String name = refused.refusal().name().toLowerCase(Locale.ROOT).replace('_', '-');
    return answer(
        status,
        name,
        switch (refused.refusal()) {
          case MISMATCH -> "The key was used for another request";
          case FORGOTTEN, ACKNOWLEDGED -> "The answer to this key is no longer kept";
          case OVERLOADED -> "There is no room for new requests";
          default -> "The request was refused";
        },
        refused.refusal().advice()
            + (refused.limit().isEmpty() ? "" : " (limit: " + refused.limit() + ")"),
        refused.executed(),
        refused.refusal().mayResend(),
        status == 503 ? Duration.ofSeconds(1) : Duration.ZERO);
  }

  private static ResponseEntity<ProblemDetail> answer(
      int status,
      String type,
      String title,
      String detail,
      Executed executed,
      boolean mayResend,
      Duration retryAfter) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.valueOf(status), detail);
    problem.setType(URI.create("urn:onceward:problem:" + type));
    problem.setTitle(title);
    problem.setProperty("executed", executed.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    problem.setProperty("mayResend", mayResend);
    ResponseEntity.BodyBuilder answer =
        ResponseEntity.status(status).contentType(MediaType.APPLICATION_PROBLEM_JSON);
    if (!retryAfter.isZero()) {
      answer.header(
          HttpHeaders.RETRY_AFTER,
          Long.toString(Math.max(1, retryAfter.plusMillis(999).toSeconds())));
    }
    return answer.body(problem);
  }
}
