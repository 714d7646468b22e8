package io.onceward.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;

/** A business error of a handler method is rendered once, and every retry gets those bytes (E3). */
class ErrorAnswersTest {
  private static final AtomicInteger RENDERED = new AtomicInteger();

  static class Empty extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Empty(String message) {
      super(message);
    }

    Empty(String message, Throwable cause) {
      super(message, cause);
    }
  }

  static class Advised extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Advised(String message) {
      super(message);
    }
  }

  @ResponseStatus(HttpStatus.PAYMENT_REQUIRED)
  static class Annotated extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Annotated(String message) {
      super(message);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Api.class, Advice.class})
  static class App {}

  @RestControllerAdvice
  static class Advice {
    @ExceptionHandler(Advised.class)
    ProblemDetail say(Advised e) {
      ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, e.getMessage());
      problem.setProperty("rendering", RENDERED.incrementAndGet());
      return problem;
    }
  }

  @RestController
  static class Api {
    static final AtomicInteger RUNS = new AtomicInteger();

    private void ran() {
      RUNS.incrementAndGet();
    }

    @Once(businessErrors = Empty.class)
    @PostMapping("/caused")
    String caused() {
      ran();
      throw new Empty("empty", new IllegalStateException("balance 3"));
    }

    @Once(effect = Once.Effect.OUTSIDE, businessErrors = Empty.class)
    @PostMapping("/outside")
    String outside() {
      ran();
      throw new Empty("empty");
    }

    @Once(businessErrors = Empty.class)
    @ResponseStatus(HttpStatus.CREATED)
    @PostMapping("/created")
    void created() {
      ran();
      throw new Empty("empty");
    }

    @Once(businessErrors = Empty.class)
    @PostMapping("/number")
    int number() {
      ran();
      throw new Empty("empty");
    }

    @Once(businessErrors = Advised.class)
    @PostMapping("/advised")
    String advised() {
      ran();
      throw new Advised("taken");
    }

    @Once(businessErrors = Annotated.class)
    @PostMapping("/annotated")
    String annotated() {
      ran();
      throw new Annotated("pay");
    }

    @Once(businessErrors = ResponseStatusException.class)
    @PostMapping("/status")
    String status() {
      ran();
      throw new ResponseStatusException(HttpStatus.GONE, "gone");
    }

    @ExceptionHandler(Empty.class)
    ResponseEntity<Map<String, Object>> say(Empty e) {
      return ResponseEntity.status(402)
          .header("X-Rendering", String.valueOf(RENDERED.incrementAndGet()))
          .header("Set-Cookie", "seen=1")
          .body(Map.of("cause", String.valueOf(e.getCause()), "at", System.nanoTime()));
    }
  }

  private static Running app;
  private static Running inMemory;
  private static Running onJetty;

  @BeforeAll
  static void start() {
    app = Running.onPostgres(App.class);
    inMemory = Running.withoutDatabase(App.class);
    onJetty = Running.behind(Running.Server.JETTY, App.class);
  }

  @AfterAll
  static void stop() {
    app.close();
    inMemory.close();
    onJetty.close();
  }

  static Stream<Arguments> paths() {
    return Stream.of(
        Arguments.of("/caused", 402),
        Arguments.of("/outside", 402),
        Arguments.of("/created", 402),
        Arguments.of("/number", 402),
        Arguments.of("/advised", 409),
        Arguments.of("/annotated", 402),
        Arguments.of("/status", 410));
  }

  @ParameterizedTest
  @MethodSource("paths")
  void everyRetryHasTheBytesOfTheFirst(String path, int status) throws Exception {
    for (Running each : new Running[] {app, inMemory, onJetty}) {
      int before = Api.RUNS.get();
      HttpResponse<byte[]> first = each.exchange(path, "k", "", "Accept", "application/json");
      HttpResponse<byte[]> retry = each.exchange(path, "k", "", "Accept", "*/*");

      assertThat(first.statusCode()).isEqualTo(status);
      assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
      assertThat(first.body()).isNotEmpty();
      assertThat(retry.statusCode()).isEqualTo(status);
      assertThat(new String(retry.body(), UTF_8)).isEqualTo(new String(first.body(), UTF_8));
      assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
      assertThat(headers(retry)).isEqualTo(headers(first));
      assertThat(Api.RUNS).hasValue(before + 1);
    }
  }

  private static Map<String, List<String>> headers(HttpResponse<?> response) {
    Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
    List.of("date", "connection", "idempotent-replayed", "keep-alive", "set-cookie")
        .forEach(headers::remove);
    return headers;
  }

  @Test
  void aCookieOfAnErrorGoesWithTheFirstCopyOnly() throws Exception {
    assertThat(app.post("/caused", "c", "").headers().firstValue("Set-Cookie")).isPresent();
    assertThat(app.post("/caused", "c", "").headers().firstValue("Set-Cookie")).isEmpty();
  }
}
