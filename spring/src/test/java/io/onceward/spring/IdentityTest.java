package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;

/** What two methods are called decides whose reply a retry gets: no two share an identity. */
class IdentityTest {
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(OncewardAutoConfiguration.class)
  static class Bare {}

  @Import(Bare.class)
  static class Overloaded {
    @Once(key = "#a")
    public String pay(String a) {
      return "text";
    }

    @Once(key = "#a")
    public String pay(Integer a) {
      return "number";
    }
  }

  static class Shop {
    static class Api {
      @Once(key = "#a")
      public String pay(String a) {
        return "shop";
      }
    }
  }

  static class Bank {
    static class Api {
      @Once(key = "#a")
      public String pay(String a) {
        return "bank";
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Bare.class)
  static class Nested {
    @Bean
    Shop.Api shop() {
      return new Shop.Api();
    }

    @Bean
    Bank.Api bank() {
      return new Bank.Api();
    }
  }

  /** A branch of a bank, of which there are several. */
  static class Branch {
    final AtomicInteger runs = new AtomicInteger();
    private final String region;

    Branch(String region) {
      this.region = region;
    }

    public String getRegion() {
      return region;
    }

    @Once(key = "#a")
    public String pay(String a) {
      return region;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Bare.class)
  static class TwoBeans {
    @Bean
    Branch north() {
      return new Branch("north");
    }

    @Bean
    Branch south() {
      return new Branch("south");
    }
  }

  /** Names the bean, and tells nothing of it. */
  static class Everywhere extends Branch {
    Everywhere(String region) {
      super(region);
    }

    @Override
    @Once(key = "#a", scope = "#root.class.simpleName")
    public String pay(String a) {
      return getRegion();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Bare.class)
  static class TwoInOneScope {
    @Bean
    Everywhere north() {
      return new Everywhere("north");
    }

    @Bean
    Everywhere south() {
      return new Everywhere("south");
    }
  }

  /** Whether these tell the beans apart depends on the call. */
  static class Mixed extends Branch {
    Mixed(String region) {
      super(region);
    }

    @Override
    @Once(key = "#a", scope = "#root.region + #a")
    public String pay(String a) {
      return getRegion();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Bare.class)
  static class TwoMixed {
    @Bean
    Mixed north() {
      return new Mixed("a");
    }

    @Bean
    Mixed south() {
      return new Mixed("ab");
    }
  }

  @Import(Bare.class)
  static class OneName {
    @Once(key = "#a", operation = "pay")
    public String pay(String a) {
      return a;
    }

    @Once(key = "#a", operation = "pay")
    public String refund(String a) {
      return a;
    }
  }

  @Import(Bare.class)
  static class NamedLikeAScope {
    @Once(key = "#a", operation = "pay / north")
    public String pay(String a) {
      return a;
    }
  }

  @Import(Bare.class)
  static class NamedLikeARoute {
    @Once(key = "#a", operation = "POST /pay")
    public String pay(String a) {
      return a;
    }
  }

  static Stream<Arguments> shared() {
    return Stream.of(
        Arguments.of(Overloaded.class, "both the operation Overloaded.pay"),
        Arguments.of(Nested.class, "both the operation Api.pay"),
        Arguments.of(TwoBeans.class, "the beans north and south both have the operation"),
        Arguments.of(TwoInOneScope.class, "the beans north and south both have the operation"),
        Arguments.of(TwoMixed.class, "the beans north and south both have the operation"),
        Arguments.of(OneName.class, "both the operation pay"),
        Arguments.of(NamedLikeAScope.class, "stands between an operation and a scope"),
        Arguments.of(NamedLikeARoute.class, "the pattern of a route"));
  }

  @ParameterizedTest
  @MethodSource("shared")
  void twoMethodsWithOneIdentityStopTheApplication(Class<?> application, String told) {
    assertThatThrownBy(
            () ->
                Running.withoutWeb(application, "onceward.http.routes[0].pattern=POST /pay")
                    .close())
        .hasStackTraceContaining(told);
  }

  static class Distinct extends Branch {
    Distinct(String region) {
      super(region);
    }

    @Override
    @Once(key = "#a", scope = "#root.region")
    public String pay(String a) {
      return getRegion() + " in run " + runs.incrementAndGet();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Bare.class)
  static class TwoToldApart {
    @Bean
    Distinct north() {
      return new Distinct("north");
    }

    @Bean
    Distinct south() {
      return new Distinct("south");
    }
  }

  @Test
  void beansOfOneClassAreToldApartByAScopeOfTheirOwn() {
    try (Running app = Running.withoutWeb(TwoToldApart.class)) {
      Distinct north = app.bean("north", Distinct.class);
      Distinct south = app.bean("south", Distinct.class);
      for (int copy = 0; copy < 2; copy++) {
        assertThat(north.pay("k")).isEqualTo("north in run 1");
        assertThat(south.pay("k")).isEqualTo("south in run 1");
      }
    }
  }

  static class Late {
    static class Api implements UnaryOperator<String> {
      @Override
      @Once(key = "#a", operation = "pay")
      public String apply(String a) {
        return "late";
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Bare.class)
  static class KnownLate {
    static class Early {
      @Once(key = "#a", operation = "pay")
      public String pay(String a) {
        return "early";
      }
    }

    @Bean
    Early early() {
      return new Early();
    }

    /** Its class is not known before the first is made. */
    @Bean
    @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
    Object late() {
      return new Late.Api();
    }
  }

  @Test
  void aBeanWhoseClassIsKnownLateIsRefusedWhenItIsCalled() {
    try (Running app = Running.withoutWeb(KnownLate.class)) {
      assertThat(app.bean(KnownLate.Early.class).pay("k")).isEqualTo("early");
      Late.Api late = app.bean("late", Late.Api.class);

      assertThatThrownBy(() -> late.apply("k")).hasMessageContaining("both the operation pay");
    }
  }
}
