package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.server.ResponseStatusException;

/**
 * What is stored is what was sent; what would come back otherwise is refused and leaves nothing.
 */
class ExactAnswersTest {
  /** Carries more than its message, and is made again with all of it. */
  static class Declined extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final String code;

    Declined(String code) {
      super("declined");
      this.code = code;
    }
  }

  static class DeclinedCodec implements ExceptionCodec<Declined> {
    @Override
    public Class<Declined> type() {
      return Declined.class;
    }

    @Override
    public String write(Declined exception) {
      return exception.code;
    }

    @Override
    public Declined read(String text) {
      return new Declined(text);
    }
  }

  static class Poorer extends Declined {
    private static final long serialVersionUID = 1L;

    Poorer() {
      super("E1");
    }
  }

  /** Nobody says what callers are told of it. */
  static class Mute extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Mute(String message) {
      super(message);
    }
  }

  static class Muter extends Mute {
    private static final long serialVersionUID = 1L;
    final String code = "E1";

    Muter() {
      super("mute");
    }
  }

  record Hidden(
      String name, @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String password) {}

  static class Made {
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public Long id;

    public OffsetDateTime at;
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Api.class, Services.class, DeclinedCodec.class})
  static class App {}

  @RestController
  static class Api {
    private final AtomicInteger runs = new AtomicInteger();
    private final JdbcTemplate jdbc;

    Api(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
      jdbc.execute("CREATE TABLE effect (name text)");
    }

    int runs() {
      return runs.get();
    }

    void write(String name) {
      runs.incrementAndGet();
      jdbc.update("INSERT INTO effect VALUES (?)", name);
    }

    @Once
    @PostMapping("/cookie")
    String cookie(HttpServletResponse response) {
      write("cookie");
      Cookie cookie = new Cookie("session", "secret");
      response.addCookie(cookie);
      return "set";
    }

    @Once
    @PostMapping("/said-late")
    String saidLate(HttpServletResponse response) {
      write("said late");
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void afterCommit() {
              response.setHeader("X-Late", "true");
              current().setHeader("X-Later", "true");
            }
          });
      return "said";
    }

    private static HttpServletResponse current() {
      return ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes())
          .getResponse();
    }

    /** Too long only by what the writer has not passed on yet, which is less than 8,192 bytes. */
    @Once
    @PostMapping("/too-long")
    void tooLong(HttpServletResponse response) throws IOException {
      write("too long");
      response.getWriter().write("a".repeat(100));
      response.getWriter().flush();
      response.getWriter().write("b".repeat((1 << 20) - 92));
    }

    @Once(businessErrors = Declined.class)
    @PostMapping("/declined")
    String declined() {
      write("declined");
      throw new Declined("E42");
    }

    @Once(businessErrors = Declined.class)
    @PostMapping("/poorer")
    String poorer() {
      write("poorer");
      throw new Poorer();
    }

    @Once(businessErrors = Mute.class)
    @PostMapping("/mute")
    String mute() {
      write("mute");
      throw new Muter();
    }

    @Once(effect = Once.Effect.OUTSIDE, businessErrors = Mute.class)
    @PostMapping("/mute-outside")
    String muteOutside() {
      runs.incrementAndGet();
      throw new Muter();
    }

    @Once(businessErrors = ResponseStatusException.class)
    @PostMapping("/problem")
    String problem() {
      write("problem");
      ResponseStatusException thrown = new ResponseStatusException(HttpStatus.CONFLICT, "taken");
      thrown.getBody().setProperty("code", "E42");
      throw thrown;
    }

    @Once
    @PostMapping("/future")
    ResponseEntity<?> future() {
      write("future");
      return ResponseEntity.ok(CompletableFuture.completedFuture("later"));
    }

    @Once
    @PostMapping("/error-page")
    void errorPage(HttpServletResponse response) throws Exception {
      write("error page");
      response.sendError(409, "see the page");
    }

    @Once
    @PostMapping("/suspended")
    void suspended(HttpServletRequest request) {
      write("suspended");
      request.startAsync();
    }

    @Once
    @PostMapping("/json")
    Map<String, Object> json() {
      write("json");
      return Map.of("a", 1);
    }

    @ExceptionHandler(Declined.class)
    ResponseEntity<String> say(Declined e) {
      return ResponseEntity.status(402).body("code " + e.code);
    }
  }

  @Component
  static class Services {
    private final Api api;

    Services(Api api) {
      this.api = api;
    }

    @Once(key = "#key")
    public Made made(String key) {
      api.write("made");
      Made made = new Made();
      made.id = 7L;
      made.at = OffsetDateTime.parse("2026-11-16T19:37:29+02:00");
      return made;
    }

    @Once(key = "#key")
    public Hidden hidden(String key, boolean withPassword) {
      api.write("hidden");
      return new Hidden("open", withPassword ? "word" : null);
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

  private static int effects(String name) {
    return app.count("effect WHERE name = '" + name + "'");
  }

  private static int records(String key) {
    return app.count("onceward_request WHERE key_text = '" + key + "'");
  }

  @Test
  void aCookieGoesWithTheFirstCopyOnly() throws Exception {
    assertThat(app.post("/cookie", "c", "").headers().firstValue("Set-Cookie"))
        .contains("session=secret");
    assertThat(app.post("/cookie", "c", "").headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(effects("cookie")).isEqualTo(1);
  }

  /** What is said after the commit is not remembered, so nobody is told it. */
  @Test
  void theFirstCopyIsToldWhatIsRemembered() throws Exception {
    for (int copy = 0; copy < 2; copy++) {
      HttpResponse<String> answer = app.post("/said-late", "l", "");
      assertThat(answer.body()).isEqualTo("said");
      assertThat(answer.headers().firstValue("X-Late")).isEmpty();
      assertThat(answer.headers().firstValue("X-Later")).isEmpty();
      assertThat(answer.headers().firstValue("Idempotent-Replayed").isPresent())
          .isEqualTo(copy == 1);
    }
    assertThat(effects("said late")).isEqualTo(1);
  }

  @Test
  void anAnswerThatIsALittleTooLongIsNotCutOff() throws Exception {
    for (int copy = 0; copy < 2; copy++) {
      HttpResponse<String> answer = app.post("/too-long", "t", "");
      assertThat(answer.statusCode()).isEqualTo(410);
      assertThat(answer.body()).contains("reply-not-kept");
    }
    assertThat(effects("too long")).isEqualTo(1);
  }

  @Test
  void aBusinessErrorKeepsItsFieldsAndItsHandler() throws Exception {
    for (int copy = 0; copy < 2; copy++) {
      HttpResponse<String> answer = app.post("/declined", "d", "");
      assertThat(answer.statusCode()).isEqualTo(402);
      assertThat(answer.body()).isEqualTo("code E42");
    }
    assertThat(records("d")).isEqualTo(1);
  }

  @Test
  void aBusinessErrorThatWouldComeBackAsAnotherLeavesNothing() throws Exception {
    HttpResponse<String> answer = app.post("/mute", "e", "");
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(records("e")).isZero();
    assertThat(effects("mute")).isZero();
  }

  /** Only the answer is kept, so that it does not matter what becomes of the exception. */
  @Test
  void aBusinessErrorThatTheApplicationAnswersNeedNotComeBack() throws Exception {
    for (String path : new String[] {"/poorer", "/problem"}) {
      HttpResponse<String> first = app.post(path, "a" + path, "");
      HttpResponse<String> retry = app.post(path, "a" + path, "");
      assertThat(first.statusCode()).isEqualTo(path.equals("/poorer") ? 402 : 409);
      assertThat(retry.statusCode()).isEqualTo(first.statusCode());
      assertThat(retry.body()).isEqualTo(first.body()).isNotEmpty();
      assertThat(effects(path.substring(1))).isZero();
    }
  }

  @Test
  void outsideABusinessErrorThatWouldComeBackAsAnotherIsToldAsExecuted() throws Exception {
    int before = app.bean(Api.class).runs();
    for (int copy = 0; copy < 2; copy++) {
      HttpResponse<String> answer = app.post("/mute-outside", "o", "");
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).contains("urn:onceward:problem:failed", "\"executed\":\"yes\"");
    }
    assertThat(app.bean(Api.class).runs()).isEqualTo(before + 1);
  }

  @Test
  void anAnswerThatTurnsOutNotToBeWholeLeavesNothing() throws Exception {
    assertThat(app.post("/future", "f", "").statusCode()).isEqualTo(500);
    assertThat(app.post("/error-page", "p", "").statusCode()).isEqualTo(500);

    assertThat(app.post("/suspended", "s", "").statusCode()).isEqualTo(500);

    assertThat(records("f") + records("p") + records("s")).isZero();
    assertThat(effects("future") + effects("error page") + effects("suspended")).isZero();
  }

  @Test
  void anAnswerThatNobodyCanWriteLeavesNothing() throws Exception {
    HttpResponse<byte[]> refused = app.exchange("/json", "j", "", "Accept", "image/png");
    assertThat(refused.statusCode()).isEqualTo(406);
    assertThat(effects("json")).isZero();

    HttpResponse<byte[]> taken = app.exchange("/json", "j", "", "Accept", "application/json");
    HttpResponse<byte[]> retry = app.exchange("/json", "j", "", "Accept", "image/png");
    assertThat(taken.statusCode()).isEqualTo(200);
    assertThat(retry.statusCode()).isEqualTo(200);
    assertThat(new String(retry.body(), StandardCharsets.UTF_8)).isEqualTo("{\"a\":1}");
  }

  @Test
  void aValueComesBackWithWhatCallersMayNotSendAndWithItsOffset() {
    Services services = app.bean(Services.class);
    services.made("m");
    Made again = services.made("m");

    assertThat(again.id).isEqualTo(7L);
    assertThat(again.at).hasToString("2026-11-16T19:37:29+02:00");
    assertThat(effects("made")).isEqualTo(1);
  }

  @Test
  void aValueThatJsonDoesNotHoldWholeLeavesNothingAlsoAfterAFirstThatWasWhole() {
    Services services = app.bean(Services.class);
    assertThat(services.hidden("h-1", false).name()).isEqualTo("open");

    assertThatThrownBy(() -> services.hidden("h-2", true))
        .hasMessageContaining("is not the same when it is read back");
    assertThat(effects("hidden")).isEqualTo(1);
    assertThat(records("h-2")).isZero();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Masked {
    @RestController
    static class Plain {
      @Once
      @PostMapping("/")
      String answer() {
        return "4242 4242";
      }
    }

    private static int order;

    @Bean
    static Advisor masking() {
      DefaultPointcutAdvisor advisor =
          new DefaultPointcutAdvisor(
              new AnnotationMatchingPointcut(RestController.class, true),
              (MethodInterceptor)
                  invocation -> {
                    Object answer = invocation.proceed();
                    return answer instanceof String ? "masked" : answer;
                  });
      advisor.setOrder(order);
      return advisor;
    }
  }

  @Test
  void adviceThatMayChangeAnswersStandsInside() throws Exception {
    Masked.order = 1;
    assertThatThrownBy(() -> Running.withoutDatabase(Masked.class).close())
        .hasStackTraceContaining("may change what it answers");

    Masked.order = Ordered.LOWEST_PRECEDENCE;
    try (Running masked = Running.withoutDatabase(Masked.class)) {
      assertThat(masked.post("/", "k", "").body()).isEqualTo("masked");
      assertThat(masked.post("/", "k", "").body()).isEqualTo("masked");
    }
  }

  static class Talkative extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Talkative(String name) {
      super("no account " + name);
    }
  }

  static class Teapot extends ResponseStatusException {
    private static final long serialVersionUID = 1L;

    Teapot(String reason) {
      super(HttpStatusCode.valueOf(418), reason);
    }
  }

  static class Detailed extends ErrorResponseException {
    private static final long serialVersionUID = 1L;

    Detailed(String detail) {
      super(
          HttpStatus.CONFLICT, ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, detail), null);
    }
  }

  @EnableAutoConfiguration
  static class TalkativeApp {
    @Once(key = "#a", businessErrors = Talkative.class)
    public String pay(String a) {
      return a;
    }
  }

  @EnableAutoConfiguration
  static class TeapotApp {
    @Once(key = "#a", businessErrors = Teapot.class)
    public String pay(String a) {
      return a;
    }
  }

  @EnableAutoConfiguration
  static class DetailedApp {
    @Once(key = "#a", businessErrors = Detailed.class)
    public String pay(String a) {
      return a;
    }
  }

  @Test
  void aBusinessErrorThatCannotBeMadeAgainStopsTheApplication() {
    assertThatThrownBy(() -> Running.withoutDatabase(TalkativeApp.class).close())
        .hasStackTraceContaining("makes another message of the one that its constructor is given");
    assertThatThrownBy(() -> Running.withoutDatabase(TeapotApp.class).close())
        .hasStackTraceContaining("Teapot has the field");
    assertThatThrownBy(() -> Running.withoutDatabase(DetailedApp.class).close())
        .hasStackTraceContaining("Detailed has the field");
  }
}
