package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.guard.Finding;
import io.onceward.guard.Probe;
import io.onceward.guard.UnknownRequest;
import io.onceward.spring.ShopApplication.CardProvider;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** A bean of type Probe finds out what became of an unknown request when its next copy comes. */
class ProbeTest {
  private static final String ORDER = "{\"order\":\"4711\",\"cents\":1999}";

  private static volatile Function<UnknownRequest, Finding> word;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(ShopApplication.class)
  static class Probed {
    @Bean
    Probe probe() {
      return request -> word.apply(request);
    }
  }

  private static Running app;
  private CardProvider provider;
  private String key;

  @BeforeAll
  static void start() {
    app = Running.onPostgres(Probed.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @BeforeEach
  void loseAnAnswer() throws Exception {
    key = UUID.randomUUID().toString();
    word = request -> new Finding.CannotTell();
    provider = app.bean(CardProvider.class);
    provider.charges.clear();
    provider.failure = () -> new IllegalStateException("connection reset after the request");
    assertThat(app.post("/charges", key, ORDER).statusCode()).isEqualTo(409);
    provider.failure = () -> null;
  }

  @Test
  void whatItFindsToHaveHappenedIsTheAnswerAndIsNotRunAgain() throws Exception {
    word =
        request ->
            request.operation().equals("charge") && request.memo().equals("order 4711")
                ? new Finding.Happened(
                    Reply.ok("{\"status\":201,\"body\":{\"id\":\"ch_9\",\"cents\":1999}}"))
                : new Finding.CannotTell();
    HttpResponse<String> settled = app.post("/charges", key, ORDER);

    assertThat(settled.statusCode()).isEqualTo(201);
    assertThat(settled.body()).isEqualTo("{\"id\":\"ch_9\",\"cents\":1999}");
    assertThat(settled.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(provider.charges).hasSize(1);
    assertThat(app.get("/actuator/onceward").body()).doesNotContain(key);
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void aReplyThatNobodyCouldReadIsNotTaken(Reply unreadable) throws Exception {
    word = request -> new Finding.Happened(unreadable);
    assertThat(app.post("/charges", key, ORDER).body())
        .contains("urn:onceward:problem:unknown-outcome");

    word =
        request ->
            new Finding.Happened(
                Reply.ok("{\"status\":201,\"body\":{\"id\":\"ch_9\",\"cents\":1999}}"));
    assertThat(app.post("/charges", key, ORDER).statusCode()).isEqualTo(201);
    assertThat(provider.charges).hasSize(1);
  }

  static List<Reply> unreadable() {
    return List.of(
        Reply.ok("it is paid"),
        Reply.businessError(Bytes.utf8("declined")),
        Reply.businessError(Bytes.utf8("no.such.Exception\n+declined")));
  }

  @Test
  void whatItCannotTellStaysUnknownAndIsNotRunAgain() throws Exception {
    HttpResponse<String> copy = app.post("/charges", key, ORDER);

    assertThat(copy.statusCode()).isEqualTo(409);
    assertThat(copy.body()).contains("urn:onceward:problem:unknown-outcome");
    assertThat(provider.charges).hasSize(1);
  }

  @Test
  void whatItSaysCanNoLongerHappenIsRunByTheCopyThatCame() throws Exception {
    word = request -> new Finding.CanNoLongerHappen();
    HttpResponse<String> rerun = app.post("/charges", key, ORDER);

    assertThat(rerun.statusCode()).isEqualTo(201);
    assertThat(rerun.headers().firstValue("Idempotent-Replayed")).isEmpty();
    assertThat(provider.charges).hasSize(2);
    assertThat(provider.charges.get(1).fence()).isGreaterThan(provider.charges.get(0).fence());
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class TwoProbes {
    @Bean
    Probe ofPayments() {
      return request -> new Finding.CannotTell();
    }

    @Bean
    Probe ofMails() {
      return request -> new Finding.CannotTell();
    }
  }

  @Import(TwoProbes.class)
  static class OnePrimary {
    @Bean
    @Primary
    Probe ofAll() {
      return request -> new Finding.CannotTell();
    }
  }

  @Test
  void severalProbesStopTheApplicationUnlessOneIsPrimary() {
    assertThatThrownBy(() -> Running.withoutDatabase(TwoProbes.class).close())
        .hasStackTraceContaining("several beans of type Probe");
    Running.withoutDatabase(OnePrimary.class).close();
  }
}
