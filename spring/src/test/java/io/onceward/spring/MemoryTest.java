package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.spring.ShopApplication.CardProvider;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Applications without a database, and without the web. */
class MemoryTest {
  private static final String ORDER = "{\"order\":\"1\",\"cents\":5}";

  @Test
  void withoutADatabaseItRemembersInThisProcessAndSaysSo() throws Exception {
    try (Running app = Running.withoutDatabase(ShopApplication.class)) {
      HttpResponse<String> first = app.post("/charges", "k", ORDER);
      HttpResponse<String> retry = app.post("/charges", "k", ORDER);

      assertThat(retry.body()).isEqualTo(first.body());
      assertThat(app.bean(CardProvider.class).charges).hasSize(1);
      assertThat(app.bean(ShopApplication.Cards.class).number("a", 1)).isEqualTo(1);
      assertThat(app.bean(ShopApplication.Cards.class).number("a", 2)).isEqualTo(1);
      assertThat(app.bean(Guarantees.class).byName())
          .containsEntry("POST /charges (charge)", "best effort (memory of this process)")
          .containsEntry("Cards.number", "best effort (memory of this process)");
    }
  }

  @Test
  void theSameKeyOfAnotherPrincipalIsAnotherRequest() throws Exception {
    try (Running app = Running.withoutDatabase(Tenants.class)) {
      Tenants.tenant = "a";
      app.post("/charges", "k", ORDER);
      Tenants.tenant = "b";
      HttpResponse<String> other = app.post("/charges", "k", ORDER);

      assertThat(other.headers().firstValue("Idempotent-Replayed")).isEmpty();
      assertThat(app.bean(CardProvider.class).charges).hasSize(2);
    }
  }

  /** Tells callers apart by something else than the user of the request. */
  @Import(ShopApplication.class)
  static class Tenants {
    static volatile String tenant = "";

    @Bean
    CurrentPrincipal currentPrincipal() {
      return () -> tenant;
    }
  }
}
