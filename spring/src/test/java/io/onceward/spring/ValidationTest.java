package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.guard.Guard;
import io.onceward.guard.UnknownRequest;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.DefaultMessageSourceResolvable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.method.MethodValidationResult;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.server.ResponseStatusException;

/** A retry of a request that the first has made invalid gets the answer of the first (E1). */
class ValidationTest {
  record Signup(String email) {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Signups.class)
  static class App {
    /** As validation of whole methods does, in front of all other advice. */
    @Bean
    static Advisor validating() {
      DefaultPointcutAdvisor advisor =
          new DefaultPointcutAdvisor(
              AnnotationMatchingPointcut.forMethodAnnotation(Checked.class),
              (MethodBeforeAdvice)
                  (method, arguments, target) -> {
                    if (Signups.USED.contains(((Signup) arguments[0]).email())) {
                      throw new HandlerMethodValidationException(
                          MethodValidationResult.create(
                              String.valueOf(target),
                              method,
                              List.of(
                                  new ParameterValidationResult(
                                      new MethodParameter(method, 0),
                                      arguments[0],
                                      List.of(new DefaultMessageSourceResolvable("used")),
                                      null,
                                      null,
                                      null,
                                      (error, type) -> error))));
                    }
                  });
      advisor.setOrder(1);
      return advisor;
    }
  }

  @Retention(RetentionPolicy.RUNTIME)
  @interface Checked {}

  @RestController
  static class Signups {
    static final Set<String> USED = ConcurrentHashMap.newKeySet();
    static final AtomicInteger RUNS = new AtomicInteger();

    @InitBinder
    void check(WebDataBinder binder) {
      if (binder.getTarget() instanceof Signup) {
        binder.addValidators(
            new Validator() {
              @Override
              public boolean supports(Class<?> type) {
                return type == Signup.class;
              }

              @Override
              public void validate(Object signup, Errors errors) {
                if (USED.contains(((Signup) signup).email())) {
                  errors.reject("used", "the e-mail is used");
                }
              }
            });
      }
    }

    private static ResponseEntity<String> sign(Signup signup) {
      USED.add(signup.email());
      return ResponseEntity.status(201).body("welcome " + RUNS.incrementAndGet());
    }

    @Once
    @PostMapping("/signups")
    ResponseEntity<String> signup(
        @Validated @RequestBody Signup signup, @RequestParam(required = false) String from) {
      return sign(signup);
    }

    @Once
    @Checked
    @PostMapping("/checked")
    ResponseEntity<String> checked(@RequestBody Signup signup) {
      return sign(signup);
    }

    @Once(effect = Once.Effect.OUTSIDE)
    @PostMapping("/outside")
    ResponseEntity<String> outside(@Validated @RequestBody Signup signup) {
      return sign(signup);
    }

    @Once(effect = Once.Effect.OUTSIDE)
    @PostMapping("/lost")
    ResponseEntity<String> lost(@Validated @RequestBody Signup signup) {
      sign(signup);
      throw new IllegalStateException("nobody knows");
    }

    @Once(businessErrors = ResponseStatusException.class)
    @PostMapping("/refused")
    ResponseEntity<String> refused(@Validated @RequestBody Signup signup) {
      sign(signup);
      throw new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED, "no");
    }
  }

  private static final List<Running> RUNNING = new ArrayList<>();

  @BeforeAll
  static void start() {
    for (Running.Server server : Running.Server.values()) {
      RUNNING.add(Running.behind(server, App.class));
    }
    RUNNING.add(Running.onPostgres(App.class));
  }

  @AfterAll
  static void stop() {
    RUNNING.forEach(Running::close);
  }

  static List<Running> running() {
    return RUNNING;
  }

  @BeforeEach
  void empty() {
    Signups.USED.clear();
    Signups.RUNS.set(0);
  }

  private static final String MAIL = "{\"email\":\"a@b.c\"}";

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("running")
  void aRetryThatIsInvalidByNowGetsTheAnswerOfTheFirst(Running app) throws Exception {
    for (String path : new String[] {"/signups?from=x", "/checked", "/outside"}) {
      empty();
      HttpResponse<String> first = app.post(path, "k", MAIL);
      HttpResponse<String> retry = app.post(path, "k", MAIL);

      assertThat(first.statusCode()).isEqualTo(201);
      assertThat(retry.statusCode()).isEqualTo(201);
      assertThat(retry.body()).isEqualTo(first.body()).isEqualTo("welcome 1");
      assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
      assertThat(Signups.RUNS).hasValue(1);

      assertThat(app.post(path, "k", MAIL.replace("a@b", "x@b")).statusCode()).isEqualTo(422);
      assertThat(app.post(path, "fresh", MAIL).statusCode()).isEqualTo(400);
      assertThat(app.post(path, null, MAIL).statusCode()).isEqualTo(400);
      assertThat(Signups.RUNS).hasValue(1);
    }
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("running")
  void aBusinessErrorIsReplayedBeforeValidationToo(Running app) throws Exception {
    assertThat(app.post("/refused", "k", MAIL).statusCode()).isEqualTo(402);
    HttpResponse<String> retry = app.post("/refused", "k", MAIL);

    assertThat(retry.statusCode()).isEqualTo(402);
    assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(Signups.RUNS).hasValue(1);
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("running")
  void anInvalidRequestLeavesItsKeyFree(Running app) throws Exception {
    for (String path : new String[] {"/signups", "/outside"}) {
      empty();
      Signups.USED.add("a@b.c");
      assertThat(app.post(path, "k-free", MAIL).statusCode()).isEqualTo(400);

      HttpResponse<String> corrected = app.post(path, "k-free", MAIL.replace("a@b", "x@b"));
      assertThat(corrected.statusCode()).isEqualTo(201);
      assertThat(corrected.headers().firstValue("Idempotent-Replayed")).isEmpty();
    }
  }

  /** A look is no run: the one whose end nobody knows may still be going on. */
  @Test
  void anInvalidRetryOfAnUnknownRequestIsToldSoAndLeavesItAsItIs() throws Exception {
    try (Running app = Running.withoutDatabase(App.class, "onceward.retry-unknown-for=1h")) {
      app.post("/lost", "k", MAIL);
      List<UnknownRequest> before = app.bean(Guard.class).unknowns(10);

      HttpResponse<String> retry = app.post("/lost", "k", MAIL);

      assertThat(retry.body()).contains("\"executed\":\"unknown\"");
      assertThat(before).hasSize(1);
      UnknownRequest after = app.bean(Guard.class).unknowns(10).get(0);
      assertThat(after.fence()).isEqualTo(before.get(0).fence());
      assertThat(Signups.RUNS).hasValue(1);
    }
  }
}
