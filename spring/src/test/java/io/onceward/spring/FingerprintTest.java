package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What makes a retry the same request: all that was asked, and nothing of how it was sent. */
class FingerprintTest {
  @Target(ElementType.PARAMETER)
  @Retention(RetentionPolicy.RUNTIME)
  @AuthenticationPrincipal
  @interface CurrentUser {}

  /** As generators write it: all annotations are here. */
  interface GeneratedApi {
    @PostMapping("/generated")
    String order(
        @RequestBody Map<String, Object> body,
        @RequestHeader(name = "X-Request-Id", required = false) String requestId);
  }

  abstract static class Base<T> {
    abstract String ordered(
        @RequestBody T body,
        @RequestHeader(name = "X-Request-Id", required = false) String requestId);
  }

  record Secret(@JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String password) {}

  /** A request as it is after a release that adds a field. */
  record Order(String item, Integer count) {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Generated.class, Inherited.class, Api.class, Services.class})
  static class App {}

  @RestController
  static class Generated implements GeneratedApi {
    @Once
    @Override
    public String order(Map<String, Object> body, String requestId) {
      return "ordered";
    }
  }

  @RestController
  static class Inherited extends Base<Map<String, Object>> {
    @Once
    @PostMapping("/inherited")
    @Override
    String ordered(Map<String, Object> body, String requestId) {
      return "ordered";
    }
  }

  @RestController
  static class Api {
    @Once
    @PostMapping("/meta")
    String meta(@RequestBody Map<String, Object> body, @CurrentUser String user) {
      return "ordered";
    }

    @Once
    @PostMapping("/password")
    String password(@RequestBody Secret secret) {
      return "changed";
    }

    @Once
    @PostMapping("/order")
    String order(@RequestBody Map<String, Object> order) {
      return "ordered";
    }

    @Once(comparesNulls = true)
    @PostMapping("/patch")
    String patch(@RequestBody Map<String, Object> patch) {
      return "patched";
    }

    @Once(operation = "grown")
    @PostMapping("/grown")
    String grown(
        @RequestBody Order order, @RequestParam(name = "note", required = false) String note) {
      return "ordered";
    }
  }

  @Component
  static class Services {
    @Once(key = "#key", fingerprint = "#secret")
    public String change(String key, Secret secret) {
      return "changed";
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

  private static byte[] canonical(ValueCodec codec, List<?> values) {
    return codec.canonical(
        values.stream().map(value -> new ValueCodec.Typed(value, Object.class)).toList());
  }

  private static int status(String path, String json, String... headers) throws Exception {
    return app.exchange(path, "k" + path.replaceAll("\\?.*", ""), json, headers).statusCode();
  }

  @Test
  void aHeaderIsNoContentWhereverItsAnnotationStands() throws Exception {
    for (String path : new String[] {"/generated", "/inherited"}) {
      assertThat(status(path, "{\"a\":1}", "X-Request-Id", "r-1")).isEqualTo(200);
      assertThat(status(path, "{\"a\":1}", "X-Request-Id", "r-2")).isEqualTo(200);
      assertThat(status(path, "{\"a\":2}", "X-Request-Id", "r-2")).isEqualTo(422);
    }
  }

  /** Without Spring Security, the parameter of the query stands for the user. */
  @Test
  void anAnnotationThatIsMadeOfOthersCountsAsThose() throws Exception {
    assertThat(status("/meta?user=a", "{\"a\":1}")).isEqualTo(200);
    assertThat(status("/meta?user=b", "{\"a\":1}")).isEqualTo(200);
  }

  @Test
  void whatCallersSendAndNeverSeeIsCompared() throws Exception {
    assertThat(status("/password", "{\"password\":\"one\"}")).isEqualTo(200);
    assertThat(status("/password", "{\"password\":\"two\"}")).isEqualTo(422);
    assertThat(status("/password", "{\"password\":\"one\"}")).isEqualTo(200);

    Services services = app.bean(Services.class);
    services.change("k", new Secret("one"));
    assertThatThrownBy(() -> services.change("k", new Secret("two")))
        .hasMessageContaining("MISMATCH");
  }

  @Test
  void absentAndNullAreTheSameUnlessTheMethodSaysOtherwise() throws Exception {
    assertThat(status("/order", "{\"a\":{\"b\":1}}")).isEqualTo(200);
    assertThat(status("/order", "{\"c\":null,\"a\":{\"b\":1,\"d\":null}}")).isEqualTo(200);
    assertThat(status("/order", "{\"a\":{\"b\":1,\"d\":0}}")).isEqualTo(422);

    assertThat(status("/patch", "{\"a\":1}")).isEqualTo(200);
    assertThat(status("/patch", "{\"a\":1,\"b\":null}")).isEqualTo(422);
  }

  /** The first half is what a release without the field and the parameter has stored. */
  @Test
  void aFieldAndAParameterThatWereAddedSinceChangeNothing() throws Exception {
    ValueCodec codec = app.bean(ValueCodec.class);

    assertThat(canonical(codec, Arrays.asList(new Order("tea", null), null)))
        .isEqualTo(canonical(codec, List.of(Map.of("item", "tea"))));
    assertThat(status("/grown", "{\"item\":\"tea\"}")).isEqualTo(200);
    assertThat(status("/grown?note=x", "{\"item\":\"tea\"}")).isEqualTo(422);
    assertThat(status("/grown", "{\"item\":\"tea\",\"count\":1}")).isEqualTo(422);
  }

  @Test
  void theSpellingOfNumbersAndTheOrderOfNamesDoNotCount() throws Exception {
    ValueCodec codec = app.bean(ValueCodec.class);

    assertThat(canonical(codec, List.of(Map.of("a", 10.0, "b", 1))))
        .isEqualTo(canonical(codec, List.of(Map.of("b", 1L, "a", new BigDecimal("10.000")))));
    assertThat(canonical(codec, List.of("1"))).isNotEqualTo(canonical(codec, List.of(1)));
    assertThat(canonical(codec, List.of("a\",\"b")))
        .isNotEqualTo(canonical(codec, List.of("a", "b")));
  }
}
