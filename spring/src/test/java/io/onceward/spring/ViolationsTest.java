package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.guard.Guard;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.constraints.Min;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Bean Validation of whole methods stands inside of all other advice. What it refuses never ran, so
 * it is not unknown.
 */
class ViolationsTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Api.class)
  static class App {}

  @Validated
  @RestController
  static class Api {
    static final AtomicInteger RUNS = new AtomicInteger();

    @Once(effect = Once.Effect.OUTSIDE)
    @PostMapping("/outside")
    public String outside(@RequestParam @Min(1) int amount) {
      return "run " + RUNS.incrementAndGet();
    }

    @Once(effect = Once.Effect.OUTSIDE)
    @PostMapping("/answers")
    public @Min(100) int answers() {
      return RUNS.incrementAndGet();
    }

    @Once(effect = Once.Effect.OUTSIDE)
    @PostMapping("/inner")
    public String inner() {
      RUNS.incrementAndGet();
      Set<ConstraintViolation<?>> none = Set.of();
      throw new ConstraintViolationException("of something inside", none);
    }

    @ExceptionHandler(ConstraintViolationException.class)
    ResponseEntity<String> invalid(ConstraintViolationException e) {
      return ResponseEntity.badRequest().body("invalid");
    }
  }

  private static Running app;

  @BeforeAll
  static void start() {
    app = Running.withoutDatabase(App.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @Test
  void anInvalidArgumentLeavesTheKeyFree() throws Exception {
    int before = Api.RUNS.get();
    int unknown = app.bean(Guard.class).unknowns(100).size();
    for (int copy = 0; copy < 2; copy++) {
      HttpResponse<String> refused = app.post("/outside?amount=0", "k", "");
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).isEqualTo("invalid");
    }
    assertThat(app.bean(Guard.class).unknowns(100)).hasSize(unknown);

    HttpResponse<String> valid = app.post("/outside?amount=1", "k-valid", "");
    assertThat(valid.statusCode()).isEqualTo(200);
    assertThat(Api.RUNS).hasValue(before + 1);
  }

  @Test
  void whatIsRefusedAfterTheMethodRanIsUnknown() throws Exception {
    for (String path : new String[] {"/answers", "/inner"}) {
      app.post(path, "k" + path, "");
      HttpResponse<String> retry = app.post(path, "k" + path, "");
      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(retry.body()).contains("unknown-outcome");
    }
  }
}
