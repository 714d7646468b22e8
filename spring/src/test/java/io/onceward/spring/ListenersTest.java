package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.guard.Ask;
import io.onceward.guard.GuardListener;
import io.onceward.guard.Ruling;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;

/** Each bean that listens hears of every ruling, of a method's and of the filter's. */
class ListenersTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(ShopApplication.class)
  static class Heard {
    final List<String> heard = new CopyOnWriteArrayList<>();
    final List<Double> shares = new CopyOnWriteArrayList<>();

    @Bean
    @Order(1)
    GuardListener fails() {
      return (ask, ruling, nanos) -> {
        heard.add("first of " + ask.operation());
        throw new IllegalStateException("a counter that cannot count");
      };
    }

    @Bean
    @Order(2)
    GuardListener failsWorse() {
      return (ask, ruling, nanos) -> {
        heard.add("second of " + ask.operation());
        throw new NoClassDefFoundError("metrics");
      };
    }

    @Bean
    @Order(3)
    GuardListener last() {
      return new GuardListener() {
        @Override
        public void ruled(Ask ask, Ruling ruling, long nanos) {
          heard.add("last of " + ask.operation());
        }

        @Override
        public void unknownsPileUp(double share) {
          shares.add(share);
        }
      };
    }
  }

  @Test
  void unknownRequestsThatPileUpAreReported() throws Exception {
    try (Running app = Running.withoutDatabase(Heard.class, "onceward.memory.max-entries=20")) {
      app.bean(ShopApplication.CardProvider.class).failure =
          () -> new IllegalStateException("lost");
      for (int i = 0; i < 8; i++) {
        assertThat(app.bean(Heard.class).shares).isEmpty();
        app.post("/charges", "k-" + i, "{\"order\":\"1\",\"cents\":5}");
      }
      assertThat(app.bean(Heard.class).shares).containsExactly(0.8);
    }
  }

  @Test
  void aListenerThatThrowsKeepsNoOtherFromHearing() throws Exception {
    try (Running app =
        Running.withoutDatabase(Heard.class, "onceward.http.routes[0].pattern=POST /raw")) {
      assertThat(app.post("/charges", "k", "{\"order\":\"1\",\"cents\":5}").statusCode())
          .isEqualTo(201);
      assertThat(app.post("/raw", "k", "one").statusCode()).isEqualTo(202);

      assertThat(app.bean(Heard.class).heard)
          .containsExactly(
              "first of charge",
              "second of charge",
              "last of charge",
              "first of POST /raw",
              "second of POST /raw",
              "last of POST /raw");
    }
  }
}
