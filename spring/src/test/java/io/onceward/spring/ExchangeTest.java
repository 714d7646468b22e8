package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;

/** Controllers of an interface that clients are made of too answer as all others do. */
class ExchangeTest {
  @HttpExchange("/orders")
  interface OrdersApi {
    @PostExchange("/text")
    ResponseEntity<?> text(
        @RequestBody Map<String, Object> order,
        @RequestHeader(name = "X-Request-Id", required = false) String requestId);

    @PostExchange("/object")
    Object object(@RequestBody Map<String, Object> order);
  }

  @RestController
  static class Orders implements OrdersApi {
    private final AtomicInteger runs = new AtomicInteger();

    @Once
    @Override
    public ResponseEntity<?> text(Map<String, Object> order, String requestId) {
      return ResponseEntity.accepted().header("X-Own", "1").body("run " + runs.incrementAndGet());
    }

    @Once
    @Override
    public Object object(Map<String, Object> order) {
      return Map.of("run", runs.incrementAndGet());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Orders.class)
  static class App {}

  @ParameterizedTest
  @EnumSource
  void aReplayHasTheBytesOfTheFirst(Running.Server server) throws Exception {
    try (Running app = Running.behind(server, App.class)) {
      assertThat(app.bean(Guarantees.class).byName())
          .containsKeys("POST /orders/text (Orders.text)", "POST /orders/object (Orders.object)");
      for (String path : new String[] {"/orders/text", "/orders/object"}) {
        HttpResponse<byte[]> first =
            app.exchange(path, "k", "{\"item\":\"tea\"}", "X-Request-Id", "1");
        HttpResponse<byte[]> retry =
            app.exchange(path, "k", "{\"item\":\"tea\"}", "X-Request-Id", "2");

        assertThat(first.statusCode()).isEqualTo(path.endsWith("text") ? 202 : 200);
        assertThat(new String(first.body(), StandardCharsets.UTF_8))
            .isEqualTo(path.endsWith("text") ? "run 1" : "{\"run\":2}");
        assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
        assertThat(retry.statusCode()).isEqualTo(first.statusCode());
        assertThat(retry.body()).isEqualTo(first.body());
        for (String header : new String[] {"X-Own", "Content-Type"}) {
          assertThat(retry.headers().allValues(header))
              .isEqualTo(first.headers().allValues(header));
        }
        assertThat(app.post(path, "k", "{\"item\":\"coffee\"}").statusCode()).isEqualTo(422);
      }
    }
  }
}
