package io.onceward.spring;

import io.onceward.guard.GuardException;
import io.onceward.http.Problem;
import java.nio.charset.StandardCharsets;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers of Onceward itself as {@code application/problem+json} (RFC 9457), byte for byte those of
 * the filter. An advice of the application that comes earlier may say it otherwise.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE + 100)
class Problems {
  @ExceptionHandler(KeyException.class)
  ResponseEntity<byte[]> key(KeyException e) {
    String why = String.valueOf(e.getMessage());
    return answer(e.missing() ? Problem.missingKey(why) : Problem.malformedKey(why));
  }

  @ExceptionHandler(GuardException.class)
  ResponseEntity<byte[]> noReply(GuardException e) {
    return answer(Problem.of(e.ruling()));
  }

  private static ResponseEntity<byte[]> answer(Problem problem) {
    ResponseEntity.BodyBuilder answer =
        ResponseEntity.status(problem.status()).contentType(MediaType.APPLICATION_PROBLEM_JSON);
    if (problem.retryAfterSeconds() > 0) {
      answer.header(HttpHeaders.RETRY_AFTER, Long.toString(problem.retryAfterSeconds()));
    }
    return answer.body(problem.toJson().getBytes(StandardCharsets.UTF_8));
  }
}
