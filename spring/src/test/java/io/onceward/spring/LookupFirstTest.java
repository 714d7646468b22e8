package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
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
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.converter.Converter;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * A retry gets the answer of the first, whatever keeps it from reaching the method by now (E1);
 * unless it is refused for who sends it.
 */
class LookupFirstTest {
  /** What the first request closes. */
  record Account(String name) {}

  record Cart(Account account) {}

  static class NotYou extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final Set<String> GONE = ConcurrentHashMap.newKeySet();
  private static final AtomicInteger RUNS = new AtomicInteger();
  private static final Set<String> LOCKED_OUT = ConcurrentHashMap.newKeySet();

  private static Account load(String name) {
    if (GONE.contains(name)) {
      throw new IllegalArgumentException("no account " + name);
    }
    return new Account(name);
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Api.class, WithModel.class})
  static class App implements WebMvcConfigurer {
    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
      resolvers.add(
          new HandlerMethodArgumentResolver() {
            @Override
            public boolean supportsParameter(MethodParameter parameter) {
              return parameter.getParameterType() == Cart.class;
            }

            @Override
            public Object resolveArgument(
                MethodParameter parameter,
                ModelAndViewContainer container,
                NativeWebRequest web,
                WebDataBinderFactory binders) {
              String who = web.getHeader("X-Who");
              if (LOCKED_OUT.contains(String.valueOf(who))) {
                throw new NotYou();
              }
              String name = web.getParameter("account");
              if (GONE.contains(name)) {
                throw new ResponseStatusException(HttpStatus.NOT_FOUND, "no account " + name);
              }
              return new Cart(new Account(name));
            }
          });
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
      registry.addInterceptor(
          new HandlerInterceptor() {
            @Override
            public boolean preHandle(
                jakarta.servlet.http.HttpServletRequest request,
                jakarta.servlet.http.HttpServletResponse response,
                Object handler) {
              if ("stranger".equals(request.getHeader("X-Who"))) {
                throw new IllegalStateException("who are you?");
              }
              return true;
            }
          });
    }

    @Bean
    Accounts accounts() {
      return new Accounts();
    }
  }

  @Component
  static class Accounts implements Converter<String, Account> {
    @Override
    public Account convert(String name) {
      return load(name);
    }
  }

  private static String close(String name) {
    GONE.add(name);
    return "closed in run " + RUNS.incrementAndGet();
  }

  @RestController
  static class Api {
    @Once
    @PostMapping("/converted/{account}")
    String converted(@PathVariable("account") Account account, @RequestParam String why) {
      return close(account.name());
    }

    @Once(scope = "#why")
    @PostMapping("/scoped/{account}")
    String scoped(@PathVariable("account") Account account, @RequestParam String why) {
      return close(account.name());
    }

    @Once
    @PostMapping("/resolved")
    String resolved(Cart cart, @RequestParam String account) {
      return close(cart.account().name());
    }

    @Once(effect = Once.Effect.OUTSIDE)
    @PostMapping("/outside")
    String outside(Cart cart) {
      return close(cart.account().name());
    }

    @Once
    @PostMapping("/bound")
    String bound(@ModelAttribute Cart2 cart) {
      return close(cart.getAccount().name());
    }

    @Once
    @PostMapping("/body")
    String body(@RequestBody Account account) {
      return close(account.name());
    }

    @ExceptionHandler(NotYou.class)
    ResponseEntity<String> notYou() {
      return ResponseEntity.status(401).body("who?");
    }
  }

  static class Cart2 {
    private Account account;

    public Account getAccount() {
      return account;
    }

    public void setAccount(Account account) {
      this.account = account;
    }
  }

  @RestController
  static class WithModel {
    @ModelAttribute
    Account account(@RequestParam String account) {
      if (GONE.contains(account)) {
        throw new ResponseStatusException(HttpStatus.GONE, "no account " + account);
      }
      return new Account(account);
    }

    @Once
    @PostMapping("/model")
    String model(@RequestParam String account) {
      return close(account);
    }
  }

  private static Running app;
  private static Running onDatabase;

  @BeforeAll
  static void start() {
    app = Running.withoutDatabase(App.class);
    onDatabase = Running.onPostgres(App.class);
  }

  @AfterAll
  static void stop() {
    app.close();
    onDatabase.close();
  }

  @BeforeEach
  void open() {
    GONE.clear();
    LOCKED_OUT.clear();
    RUNS.set(0);
  }

  static List<String> paths() {
    return List.of(
        "/converted/a?why=x",
        "/scoped/a?why=x",
        "/resolved?account=a",
        "/outside?account=a",
        "/bound?account=a",
        "/model?account=a");
  }

  @ParameterizedTest
  @MethodSource("paths")
  void aRetryThatDoesNotReachTheMethodByNowGetsTheAnswerOfTheFirst(String path) throws Exception {
    for (Running each : new Running[] {app, onDatabase}) {
      open();
      assertThat(each.post(path, "k" + path, "").body()).isEqualTo("closed in run 1");
      HttpResponse<String> retry = each.post(path, "k" + path, "");

      assertThat(retry.statusCode()).isEqualTo(200);
      assertThat(retry.body()).isEqualTo("closed in run 1");
      assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");

      HttpResponse<String> fresh = each.post(path, "fresh" + path, "");
      assertThat(fresh.statusCode()).isBetween(400, 500);
      assertThat(each.post(path, null, "").statusCode()).isBetween(400, 500);
      GONE.clear();
      assertThat(each.post(path, "fresh" + path, "").body()).isEqualTo("closed in run 2");
    }
  }

  @Test
  void aRetryWhoseBodyWasCutIsAnswered() throws Exception {
    assertThat(app.post("/body", "k", "{\"name\":\"a\"}").statusCode()).isEqualTo(200);
    assertThat(app.post("/body", "k", "{\"name\":").body()).isEqualTo("closed in run 1");
    assertThat(app.post("/body", "other", "{\"name\":").statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"locked-out", "stranger"})
  void aRetryThatIsRefusedForWhoSendsItIsToldSo(String who) throws Exception {
    app.post("/resolved?account=a", "who-" + who, "");
    LOCKED_OUT.add("locked-out");

    assertThat(app.exchange("/resolved?account=a", "who-" + who, "", "X-Who", who).statusCode())
        .isEqualTo(who.equals("stranger") ? 500 : 401);
  }
}
