package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.security.Principal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Two requests that ask for different things never count as one, whatever Jackson writes. */
class WholeRequestTest {
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Charge.class, name = "charge"),
    @JsonSubTypes.Type(value = Refund.class, name = "refund")
  })
  interface Movement {}

  record Charge(int amount) implements Movement {}

  record Refund(int amount) implements Movement {}

  record Batch<T>(List<T> items) {}

  abstract static class Base<T> {
    abstract String moved(@RequestBody T body);
  }

  /** Without a word for Jackson: only callers inside the application make these. */
  sealed interface Command {}

  record Pay(int amount) implements Command {}

  record Repay(int amount) implements Command {}

  record Tagged(@JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> tags) {}

  record Token(String name, String secret) implements Principal {
    @Override
    public String getName() {
      return name;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Api.class, Inherited.class, Services.class})
  static class App {
    /** A principal of the application's own, made anew for each token. */
    @Bean
    WebMvcConfigurer tokens() {
      return new WebMvcConfigurer() {
        @Override
        public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
          resolvers.add(
              new HandlerMethodArgumentResolver() {
                @Override
                public boolean supportsParameter(MethodParameter parameter) {
                  return parameter.getParameterType() == Token.class;
                }

                @Override
                public Object resolveArgument(
                    MethodParameter parameter,
                    ModelAndViewContainer container,
                    NativeWebRequest web,
                    WebDataBinderFactory binders) {
                  return new Token("ann", web.getHeader("X-Token"));
                }
              });
        }
      };
    }
  }

  @RestController
  static class Api {
    @Once
    @PostMapping("/movement")
    String movement(@RequestBody Movement movement) {
      return "moved";
    }

    @Once
    @PostMapping("/movements")
    String movements(@RequestBody List<Movement> movements) {
      return "moved";
    }

    @Once
    @PostMapping("/batch")
    String batch(@RequestBody Batch<Movement> batch) {
      return "moved";
    }

    @Once
    @PostMapping("/entity")
    String entity(HttpEntity<Movement> movement) {
      return "moved";
    }

    @Once
    @PostMapping("/optional")
    String optional(@RequestBody Optional<Movement> movement) {
      return "moved";
    }

    @Once(fingerprint = "#movement")
    @PostMapping("/named")
    String named(@RequestBody Movement movement) {
      return "moved";
    }

    @Once(fingerprint = "{#batch.items(), 1}")
    @PostMapping("/computed")
    String computed(@RequestBody Batch<Movement> batch) {
      return "moved";
    }

    @Once
    @PostMapping("/tagged")
    String tagged(@RequestBody Tagged tagged) {
      return "tagged";
    }

    @Once
    @PostMapping("/token")
    String token(@RequestBody Map<String, Object> body, Token token) {
      return "ordered";
    }

    @Once
    @PostMapping("/locale")
    String locale(@RequestParam("to") Locale to) {
      return to.toString();
    }
  }

  @RestController
  static class Inherited extends Base<Movement> {
    @Once
    @PostMapping("/inherited")
    @Override
    String moved(Movement body) {
      return "moved";
    }
  }

  @Component
  static class Services {
    @Once(key = "#key")
    public String run(String key, Command command) {
      return "ran";
    }

    @Once(key = "#key")
    public String runAny(String key, Object command) {
      return "ran";
    }

    @Once(key = "#key")
    public String runEach(String key, List<? extends Command> commands) {
      return "ran";
    }

    @Once(key = "#key")
    public String runNamed(String key, Map<String, Optional<Command>> commands) {
      return "ran";
    }

    @Once(key = "#key", operation = "runAll")
    public String runAll(String key, List<?> movements) {
      return "ran";
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

  private static int status(String path, String json, String... headers) throws Exception {
    return app.exchange(path, "k" + path.replaceAll("\\?.*", ""), json, headers).statusCode();
  }

  static Stream<Arguments> bodies() {
    String one = "{\"kind\":\"charge\",\"amount\":5}";
    return Stream.of(
        Arguments.of("/movement", one),
        Arguments.of("/movements", "[" + one + "]"),
        Arguments.of("/batch", "{\"items\":[" + one + "]}"),
        Arguments.of("/entity", one),
        Arguments.of("/optional", one),
        Arguments.of("/inherited", one),
        Arguments.of("/named", one),
        Arguments.of("/computed", "{\"items\":[" + one + "]}"));
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void theKindOfAPolymorphicArgumentIsCompared(String path, String charge) throws Exception {
    assertThat(status(path, charge)).isEqualTo(200);
    assertThat(status(path, charge.replace("charge", "refund"))).isEqualTo(422);
    assertThat(status(path, charge)).isEqualTo(200);
  }

  @Test
  void theClassOfAnArgumentThatJsonDoesNotTellIsCompared() {
    Services services = app.bean(Services.class);
    services.run("k", new Pay(5));
    assertThatThrownBy(() -> services.run("k", new Repay(5))).hasMessageContaining("MISMATCH");
    assertThat(services.run("k", new Pay(5))).isEqualTo("ran");

    services.runAll("k", List.of(new Charge(5)));
    assertThatThrownBy(() -> services.runAll("k", List.of(new Refund(5))))
        .hasMessageContaining("MISMATCH");
  }

  @Test
  void theClassesWithinContainersAreCompared() {
    Services services = app.bean(Services.class);
    Command pay = new Pay(5);
    Command repay = new Repay(5);
    for (Command command : List.of(pay, repay, pay)) {
      ThrowingCallable any = () -> services.runAny("k", command);
      ThrowingCallable each = () -> services.runEach("k", List.of(pay, command));
      ThrowingCallable named =
          () -> services.runNamed("k", Map.of("a", Optional.of(pay), "b", Optional.of(command)));
      for (ThrowingCallable call : List.of(any, each, named)) {
        if (command.equals(repay)) {
          assertThatThrownBy(call).hasMessageContaining("MISMATCH");
        } else {
          assertThatCode(call).doesNotThrowAnyException();
        }
      }
    }
  }

  @Test
  void whatIsLeftOutOfAnswersIsComparedAllTheSame() throws Exception {
    assertThat(status("/tagged", "{}")).isEqualTo(200);
    assertThat(status("/tagged", "{\"tags\":[]}")).isEqualTo(422);
  }

  @Test
  void aPrincipalOfTheApplicationsOwnIsNoContent() throws Exception {
    assertThat(status("/token", "{\"a\":1}", "X-Token", "one")).isEqualTo(200);
    assertThat(status("/token", "{\"a\":1}", "X-Token", "renewed")).isEqualTo(200);
    assertThat(status("/token", "{\"a\":2}", "X-Token", "renewed")).isEqualTo(422);
  }

  @Test
  void aLocaleThatTheCallerSendsIsContent() throws Exception {
    assertThat(status("/locale?to=de", "")).isEqualTo(200);
    assertThat(status("/locale?to=fr", "")).isEqualTo(422);
  }

  @JsonIgnoreProperties(value = "password", allowSetters = true)
  static class AllowsSetters {
    public String name;
    public String password;
  }

  static class IgnoredGetter {
    private String password;
    public String name;

    @JsonIgnore
    public String getPassword() {
      return password;
    }

    @JsonProperty
    public void setPassword(String password) {
      this.password = password;
    }
  }

  static class SetterAlone {
    private String password;
    public String name;

    public void setPassword(String password) {
      this.password = password;
    }

    boolean matches(String other) {
      return other.equals(password);
    }
  }

  static class CreatorAlone {
    public final String name;
    private final String password;

    CreatorAlone(@JsonProperty("name") String name, @JsonProperty("password") String password) {
      this.name = name;
      this.password = password;
    }

    boolean matches(String other) {
      return other.equals(password);
    }
  }

  static class AnythingElse {
    public String name;
    private Object last;

    @JsonAnySetter
    void set(String name, Object value) {
      last = value;
    }

    Object last() {
      return last;
    }
  }

  /** Shows nothing at all. */
  static class Opaque {
    private final int amount;

    Opaque(int amount) {
      this.amount = amount;
    }

    int amount() {
      return amount;
    }
  }

  static class FormSetter {
    private String note = "";

    @JsonIgnore
    public String getNote() {
      return note;
    }

    public void setNote(String note) {
      this.note = note;
    }

    public String name = "";
  }

  @EnableAutoConfiguration
  @RestController
  static class SetterApp {
    @Once
    @PostMapping("/")
    String answer(@RequestBody SetterAlone body) {
      return "";
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class GetterApp {
    @Once
    @PostMapping("/")
    String answer(@RequestBody IgnoredGetter body) {
      return "";
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class CreatorApp {
    @Once
    @PostMapping("/")
    String answer(@RequestBody CreatorAlone body) {
      return "";
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class NestedApp {
    @Once
    @PostMapping("/")
    String answer(@RequestBody Batch<Map<String, SetterAlone>> body) {
      return "";
    }
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = Hiding.class, name = "hiding"))
  interface Shown {}

  static class Hiding extends SetterAlone implements Shown {}

  @EnableAutoConfiguration
  @RestController
  static class SubtypeApp {
    @Once
    @PostMapping("/")
    String answer(@RequestBody Shown body) {
      return "";
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class AnyApp {
    @Once
    @PostMapping("/")
    String answer(@RequestBody AnythingElse body) {
      return "";
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class FormApp {
    @Once
    @PostMapping("/")
    String answer(@ModelAttribute FormSetter form) {
      return "";
    }
  }

  @EnableAutoConfiguration
  @RestController
  static class ExpressionApp {
    @Once(fingerprint = "#body")
    @PostMapping("/")
    String answer(@RequestBody SetterAlone body) {
      return "";
    }
  }

  @EnableAutoConfiguration
  static class OpaqueApp {
    @Once(key = "#key")
    public String answer(String key, Opaque opaque) {
      return "";
    }
  }

  static Stream<Arguments> hiding() {
    return Stream.of(
        Arguments.of(SetterApp.class, "SetterAlone.password"),
        Arguments.of(GetterApp.class, "IgnoredGetter.password"),
        Arguments.of(CreatorApp.class, "CreatorAlone.password"),
        Arguments.of(NestedApp.class, "SetterAlone.password"),
        Arguments.of(SubtypeApp.class, "Hiding.password"),
        Arguments.of(AnyApp.class, "AnythingElse"),
        Arguments.of(FormApp.class, "FormSetter.note"),
        Arguments.of(ExpressionApp.class, "SetterAlone.password"),
        Arguments.of(OpaqueApp.class, "Opaque"));
  }

  @ParameterizedTest
  @MethodSource("hiding")
  void anArgumentWithPartsThatCannotBeComparedStopsTheApplication(
      Class<?> application, String hidden) {
    assertThatThrownBy(() -> Running.withoutDatabase(application).close())
        .hasStackTraceContaining("@Once on " + application.getSimpleName() + ".answer")
        .hasStackTraceContaining(hidden)
        .hasStackTraceContaining("cannot be compared");
  }

  @EnableAutoConfiguration
  @RestController
  static class AllowedApp {
    @Once
    @PostMapping("/allowed")
    String answer(@RequestBody AllowsSetters body) {
      return "changed";
    }

    @Once(operation = "said", fingerprint = "#body.name")
    @PostMapping("/said")
    String answer(@RequestBody SetterAlone body) {
      return "changed";
    }
  }

  @Test
  void propertiesThatOnlySettersAreAllowedForAreCompared() throws Exception {
    try (Running allowed = Running.withoutDatabase(AllowedApp.class)) {
      String one = "{\"name\":\"x\",\"password\":\"one\"}";
      assertThat(allowed.post("/allowed", "k", one).statusCode()).isEqualTo(200);
      assertThat(allowed.post("/allowed", "k", one.replace("one", "two")).statusCode())
          .isEqualTo(422);
      assertThat(allowed.post("/said", "s", one).statusCode()).isEqualTo(200);
    }
  }
}
