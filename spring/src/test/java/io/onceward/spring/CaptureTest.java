package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;

/** However a handler reaches its response, nothing goes out before it is remembered. */
class CaptureTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Api.class)
  static class App {
    @Bean(destroyMethod = "close")
    @Scope(value = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Opened opened() {
      return new Opened();
    }
  }

  /** Lives as long as a request. */
  static class Opened {
    static final AtomicInteger OPEN = new AtomicInteger();

    void open() {
      OPEN.incrementAndGet();
    }

    public void close() {
      OPEN.decrementAndGet();
    }
  }

  @RestController
  static class Api {
    static final AtomicInteger RUNS = new AtomicInteger();
    @Autowired private HttpServletResponse injected;
    @Autowired private Opened opened;

    private static Map<String, Integer> ran() {
      return Map.of("run", RUNS.incrementAndGet());
    }

    private static void receipt(HttpServletResponse response) {
      response.setHeader("X-Receipt", "7");
    }

    @Once
    @PostMapping("/native")
    Map<String, Integer> ofNative(NativeWebRequest web) {
      receipt(web.getNativeResponse(HttpServletResponse.class));
      return ran();
    }

    @Once
    @PostMapping("/plain")
    Map<String, Integer> ofPlain(WebRequest web) {
      receipt((HttpServletResponse) ((NativeWebRequest) web).getNativeResponse());
      return ran();
    }

    @Once
    @PostMapping("/servlet")
    Map<String, Integer> ofServlet(ServletWebRequest web) {
      receipt(web.getResponse());
      return ran();
    }

    @Once
    @PostMapping("/autowired")
    Map<String, Integer> ofAutowired() {
      receipt(injected);
      return ran();
    }

    @Once
    @PostMapping("/holder")
    Map<String, Integer> ofHolder() {
      receipt(
          ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes())
              .getResponse());
      return ran();
    }

    @Once
    @PostMapping("/fails")
    Map<String, Integer> fails(NativeWebRequest web) throws Exception {
      for (HttpServletResponse each :
          List.of(web.getNativeResponse(HttpServletResponse.class), injected)) {
        receipt(each);
        each.getOutputStream().write("too early".getBytes(StandardCharsets.UTF_8));
        each.flushBuffer();
      }
      throw new IllegalStateException("undone");
    }

    @Once
    @PostMapping("/scoped")
    Map<String, Integer> scoped(NativeWebRequest web) {
      opened.open();
      web.setAttribute("mine", "kept", RequestAttributes.SCOPE_REQUEST);
      assertThat(injected).isNotNull();
      assertThat(
              RequestContextHolder.currentRequestAttributes()
                  .getAttribute("mine", RequestAttributes.SCOPE_REQUEST))
          .isEqualTo("kept");
      return ran();
    }

    /** Of Servlet 6.1, which this is not compiled against. */
    @Once
    @PostMapping("/redirect")
    void redirect(HttpServletResponse response) throws Exception {
      RUNS.incrementAndGet();
      HttpServletResponse.class
          .getMethod("sendRedirect", String.class, int.class)
          .invoke(response, "/elsewhere", 303);
    }

    /** Of Servlet 6.1. */
    @Once
    @PostMapping("/charset")
    void charset(HttpServletResponse response) throws Exception {
      RUNS.incrementAndGet();
      response.setContentType("text/plain");
      ServletResponse.class
          .getMethod("setCharacterEncoding", Charset.class)
          .invoke(response, StandardCharsets.UTF_8);
      response.getWriter().print("\u20ac");
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

  @Test
  void allThatChangesAResponseIsCaptured() {
    List<Method> passing =
        Arrays.stream(HttpServletResponse.class.getMethods())
            .filter(CaptureTest::changes)
            .filter(method -> !isCaptured(method))
            .toList();

    assertThat(passing).isEmpty();
  }

  private static boolean changes(Method method) {
    return !Modifier.isStatic(method.getModifiers())
        && (method.getReturnType() == void.class
            || method.getReturnType() == ServletOutputStream.class
            || method.getReturnType() == PrintWriter.class);
  }

  private static boolean isCaptured(Method method) {
    return Arrays.stream(CapturedAnswer.class.getDeclaredMethods())
        .anyMatch(
            own ->
                own.getName().equals(method.getName())
                    && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("running")
  void aHeaderIsRememberedHoweverTheHandlerReachesTheResponse(Running app) throws Exception {
    for (String path : List.of("/native", "/plain", "/servlet", "/autowired", "/holder")) {
      HttpResponse<String> first = app.post(path, "k", "");
      HttpResponse<String> retry = app.post(path, "k", "");

      assertThat(first.headers().allValues("X-Receipt")).as(path).containsExactly("7");
      assertThat(retry.headers().allValues("X-Receipt")).as(path).containsExactly("7");
      assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
      assertThat(retry.body()).isEqualTo(first.body());
    }
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("running")
  void whatAHandlerWroteBeforeItFailedDoesNotGoOut(Running app) throws Exception {
    HttpResponse<String> failed = app.post("/fails", "k", "");

    assertThat(failed.statusCode()).isIn(409, 500);
    assertThat(failed.body()).doesNotContain("too early");
    assertThat(failed.headers().firstValue("X-Receipt")).isEmpty();
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("running")
  void whatLivesInTheRequestIsSharedAndEndsWithIt(Running app) throws Exception {
    assertThat(app.post("/scoped", "k", "").statusCode()).isEqualTo(200);

    Eventually.until(() -> Opened.OPEN.get() == 0);
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("running")
  void aRedirectWithAStatusIsRemembered(Running app) throws Exception {
    assumeThat(Running.isBoot4()).isTrue();
    Api.RUNS.set(0);
    for (int copy = 0; copy < 2; copy++) {
      HttpResponse<String> answer = app.post("/redirect", "k", "");
      assertThat(answer.statusCode()).isEqualTo(303);
      assertThat(answer.headers().firstValue("Location").orElse("")).endsWith("/elsewhere");
      assertThat(answer.headers().firstValue("Idempotent-Replayed").isPresent())
          .isEqualTo(copy == 1);
    }
    assertThat(Api.RUNS).hasValue(1);
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("running")
  void aCharsetIsTakenAsAnObjectToo(Running app) throws Exception {
    assumeThat(Running.isBoot4()).isTrue();
    for (int copy = 0; copy < 2; copy++) {
      assertThat(app.post("/charset", "k", "").body()).isEqualTo("\u20ac");
    }
  }
}
