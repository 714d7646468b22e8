package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.guard.Guard;
import io.onceward.http.IdempotencyFilter;
import io.onceward.jdbc.OnceTransaction;
import io.onceward.jdbc.Schema;
import io.onceward.spring.BankApplication.Script;
import io.onceward.spring.ShopApplication.CardProvider;
import io.onceward.spring.ShopApplication.CouldNotConnect;
import java.net.http.HttpResponse;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** Beans of the application's own, for purposes of its own, leave what {@code @Once} does alone. */
class OwnBeansTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({BankApplication.class, ShopApplication.class})
  static class Own {
    /** As docs/jdbc.md shows. */
    @Bean
    OnceTransaction mine(DataSource dataSource) {
      Schema.create(dataSource);
      return OnceTransaction.on(dataSource).build();
    }

    @Bean
    Guard myGuard() {
      return Guard.inMemory().build();
    }

    @Bean
    IdempotencyFilter myFilter() {
      return IdempotencyFilter.inMemory().build();
    }

    @Bean
    FilterRegistrationBean<IdempotencyFilter> myRegistration(IdempotencyFilter myFilter) {
      FilterRegistrationBean<IdempotencyFilter> registration =
          new FilterRegistrationBean<>(myFilter);
      registration.addUrlPatterns("/mine/*");
      return registration;
    }
  }

  @Test
  void businessErrorsAreRememberedAllTheSame() throws Exception {
    try (Running app = Running.onPostgres(Own.class, "onceward.http.routes[0].pattern=POST /raw")) {
      String tooMuch = "{\"account\":\"bob\",\"amount\":-1}";
      for (int copy = 0; copy < 2; copy++) {
        HttpResponse<String> answer = app.post("/payments", "k", tooMuch);
        assertThat(answer.statusCode()).isEqualTo(402);
        assertThat(answer.headers().firstValue("Idempotent-Replayed").isPresent())
            .isEqualTo(copy == 1);
      }
      assertThat(app.bean(Script.class).runs).hasValue(1);

      CardProvider provider = app.bean(CardProvider.class);
      provider.failure = () -> new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED, "no");
      for (int copy = 0; copy < 2; copy++) {
        assertThat(app.post("/charges", "k-1", "{\"order\":\"1\",\"cents\":5}").statusCode())
            .isEqualTo(402);
      }
      assertThat(provider.charges).hasSize(1);

      provider.failure = CouldNotConnect::new;
      assertThat(app.post("/charges", "k-2", "{\"order\":\"1\",\"cents\":5}").statusCode())
          .isEqualTo(500);
      provider.failure = () -> null;
      assertThat(app.post("/charges", "k-2", "{\"order\":\"1\",\"cents\":5}").statusCode())
          .isEqualTo(201);

      assertThat(app.post("/raw", "k-3", "one").statusCode()).isEqualTo(202);
      assertThat(app.post("/raw", "k-3", "one").headers().firstValue("Idempotent-Replayed"))
          .contains("true");
      assertThat(app.bean(Guard.class)).isSameAs(app.bean("myGuard", Guard.class));
    }
  }
}
