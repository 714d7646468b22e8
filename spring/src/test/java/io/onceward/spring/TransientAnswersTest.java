package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.guard.Meaning;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A status that holds for a moment only is not the answer of all retries. */
class TransientAnswersTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Api.class)
  static class App {}

  @RestController
  static class Api {
    static final AtomicInteger RUNS = new AtomicInteger();
    private final JdbcTemplate jdbc;

    Api(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
      jdbc.execute("CREATE TABLE effect (name text)");
    }

    private ResponseEntity<String> answer(int status) {
      int run = RUNS.incrementAndGet();
      return ResponseEntity.status(run == 1 ? status : 201)
          .header("X-Run", String.valueOf(run))
          .header("Retry-After", "1")
          .body("run " + run);
    }

    @Once
    @PostMapping("/inside")
    ResponseEntity<String> inside(@RequestParam int status) {
      jdbc.update("INSERT INTO effect VALUES ('inside')");
      return answer(status);
    }

    @Once(
        effect = Once.Effect.OUTSIDE,
        statuses = {
          @Once.Status(
              value = {503, 404},
              means = Meaning.DID_NOT_HAPPEN),
          @Once.Status(value = 429, means = Meaning.UNKNOWN),
          @Once.Status(value = 500, means = Meaning.BUSINESS_ERROR)
        })
    @PostMapping("/said")
    ResponseEntity<String> said(@RequestParam int status) {
      return answer(status);
    }

    @Once(effect = Once.Effect.OUTSIDE)
    @PostMapping("/outside")
    ResponseEntity<String> outside(@RequestParam int status) {
      return answer(status);
    }
  }

  private static Running app;

  @BeforeAll
  static void start() {
    app = Running.onPostgres(App.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  private static HttpResponse<String> first(String path, int status) throws Exception {
    Api.RUNS.set(0);
    app.bean(JdbcTemplate.class).update("DELETE FROM effect");
    HttpResponse<String> first = app.post(path + "?status=" + status, path + status, "");
    assertThat(first.statusCode()).isEqualTo(status);
    assertThat(first.body()).isEqualTo("run 1");
    assertThat(first.headers().firstValue("X-Run")).contains("1");
    assertThat(first.headers().firstValue("Retry-After")).contains("1");
    assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
    return first;
  }

  private static HttpResponse<String> retry(String path, int status) throws Exception {
    return app.post(path + "?status=" + status, path + status, "");
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 408, 425, 429, 500, 503})
  void inATransactionItIsRolledBackAndARetryRuns(int status) throws Exception {
    first("/inside", status);
    assertThat(app.count("effect")).isZero();

    HttpResponse<String> retry = retry("/inside", status);
    assertThat(retry.statusCode()).isEqualTo(201);
    assertThat(retry.body()).isEqualTo("run 2");
    assertThat(app.count("effect")).isEqualTo(1);
    assertThat(retry("/inside", status).body()).isEqualTo("run 2");
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 425, 429})
  void outsideARefusalBeforeTheWorkLeavesTheKeyFree(int status) throws Exception {
    first("/outside", status);
    assertThat(retry("/outside", status).body()).isEqualTo("run 2");
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 500, 503})
  void outsideAFailureIsUnknown(int status) throws Exception {
    first("/outside", status);
    HttpResponse<String> retry = retry("/outside", status);
    assertThat(retry.statusCode()).isEqualTo(409);
    assertThat(retry.body()).contains("urn:onceward:problem:unknown-outcome");
    assertThat(Api.RUNS).hasValue(1);
  }

  @Test
  void aMethodSaysWhatItsStatusesMean() throws Exception {
    for (int free : new int[] {503, 404}) {
      first("/said", free);
      assertThat(retry("/said", free).body()).isEqualTo("run 2");
    }
    first("/said", 429);
    assertThat(retry("/said", 429).statusCode()).isEqualTo(409);
    first("/said", 500);
    assertThat(retry("/said", 500).body()).isEqualTo("run 1");
  }

  @Test
  void otherStatusesAreRemembered() throws Exception {
    for (String path : new String[] {"/inside", "/outside"}) {
      first(path, 404);
      assertThat(retry(path, 404).body()).isEqualTo("run 1");
    }
  }
}
