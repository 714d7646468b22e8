package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.spring.ShopApplication.CardProvider;
import io.onceward.spring.ShopApplication.CouldNotConnect;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** Effects outside, on claims in the database: what is unknown is never run again by a retry. */
class OutsideTest {
  private static final String ORDER = "{\"order\":\"4711\",\"cents\":1999}";
  private static final String CHARGED =
      "{\"finding\":\"happened\",\"reply\":\"{\\\"status\\\":201,\\\"body\\\":"
          + "{\\\"id\\\":\\\"ch_9\\\",\\\"cents\\\":1999}}\"}";
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

  private static Running app;
  private CardProvider provider;
  private String key;

  @BeforeAll
  static void start() {
    app = Running.onPostgres(ShopApplication.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @BeforeEach
  void reset() {
    provider = app.bean(CardProvider.class);
    provider.charges.clear();
    provider.failure = () -> null;
    key = UUID.randomUUID().toString();
  }

  @Test
  void aRetryGetsTheAnswerOfTheFirst() throws Exception {
    HttpResponse<String> first = app.post("/charges", key, ORDER);
    HttpResponse<String> retry = app.post("/charges", key, ORDER);

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(retry.statusCode()).isEqualTo(201);
    assertThat(retry.body()).isEqualTo(first.body());
    assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(provider.charges).hasSize(1);
  }

  @Test
  void keysOf255CharactersAreTaken() throws Exception {
    String one = "k".repeat(254) + "1";
    HttpResponse<String> first = app.post("/charges", one, ORDER);
    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(app.post("/charges", one, ORDER).body()).isEqualTo(first.body());
    assertThat(app.post("/charges", "k".repeat(254) + "2", ORDER).body())
        .isNotEqualTo(first.body());
    assertThat(app.post("/charges", one + "x", ORDER).statusCode()).isEqualTo(400);
  }

  @Test
  void anAnswerThatWasLostIsUnknownUntilAnOperatorSaysThatItHappened() throws Exception {
    loseAnAnswer();

    String queue = app.get("/actuator/onceward").body();
    assertThat(queue).contains("\"memo\":\"order 4711\"", "\"operation\":\"charge\"");
    assertThat(queue).contains(provider.charges.get(0).idempotencyKey());
    assertThat(resolve(queue, "{\"finding\":\"cannot-tell\"}")).contains("it stays unknown");
    assertThat(resolve(queue, CHARGED)).contains("\"taken\":true");

    HttpResponse<String> settled = app.post("/charges", key, ORDER);
    assertThat(settled.statusCode()).isEqualTo(201);
    assertThat(settled.body()).isEqualTo("{\"id\":\"ch_9\",\"cents\":1999}");
    assertThat(provider.charges).hasSize(1);
    assertThat(app.get("/actuator/onceward").body()).contains("\"unknown\":[]");
  }

  @Test
  void whatCanNoLongerHappenIsRunByTheNextCopyUnderAGreaterFence() throws Exception {
    loseAnAnswer();
    String queue = app.get("/actuator/onceward").body();
    assertThat(resolve(queue, "{\"finding\":\"can-no-longer-happen\"}")).contains("\"taken\":true");
    assertThat(resolve(queue, CHARGED)).contains("\"taken\":false");
    provider.failure = () -> null;

    assertThat(app.post("/charges", key, ORDER).statusCode()).isEqualTo(201);
    assertThat(provider.charges).hasSize(2);
    assertThat(provider.charges.get(1).fence()).isGreaterThan(provider.charges.get(0).fence());
    assertThat(provider.charges.get(1).idempotencyKey())
        .isEqualTo(provider.charges.get(0).idempotencyKey());
  }

  /** Taken as it is, it would fail every retry, and nobody could correct it. */
  @ParameterizedTest
  @ValueSource(strings = {"it is paid", "", "null", "{\\\"status\\\":7}", "{\\\"body\\\":{}}"})
  void aReplyThatRetriesCouldNotReadIsRefused(String unreadable) throws Exception {
    loseAnAnswer();
    String queue = app.get("/actuator/onceward").body();
    HttpResponse<String> refused =
        resolving(queue, "{\"finding\":\"happened\",\"reply\":\"" + unreadable + "\"}");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("\"error\":\"", "charge", "reply");
    assertThat(app.get("/actuator/onceward").body()).isEqualTo(queue);

    assertThat(resolve(queue, CHARGED)).contains("\"taken\":true");
    assertThat(app.post("/charges", key, ORDER).statusCode()).isEqualTo(201);
  }

  @Test
  void theReplyOfAMethodThatReturnsNothingIsEmpty() throws Exception {
    loseAnAnswer("/notices");
    String queue = app.get("/actuator/onceward").body();
    assertThat(resolving(queue, "{\"finding\":\"happened\",\"reply\":\"it is paid\"}").statusCode())
        .isEqualTo(400);
    assertThat(resolve(queue, "{\"finding\":\"happened\",\"reply\":\"\"}"))
        .contains("\"taken\":true");
    HttpResponse<String> settled = app.post("/notices", key, ORDER);
    assertThat(settled.statusCode()).isEqualTo(200);
    assertThat(settled.headers().firstValue("Idempotent-Replayed")).contains("true");
  }

  private void loseAnAnswer() throws Exception {
    loseAnAnswer("/charges");
  }

  private void loseAnAnswer(String path) throws Exception {
    provider.failure = () -> new IllegalStateException("connection reset after the request");
    HttpResponse<String> lost = app.post(path, key, ORDER);
    HttpResponse<String> retry = app.post(path, key, ORDER);

    assertThat(lost.statusCode()).isEqualTo(409);
    assertThat(retry.statusCode()).isEqualTo(409);
    assertThat(retry.body()).contains("urn:onceward:problem:unknown-outcome", "\"unknown\"");
    assertThat(provider.charges).hasSize(1);
  }

  private static String resolve(String queue, String word) throws Exception {
    return resolving(queue, word).body();
  }

  private static HttpResponse<String> resolving(String queue, String word) throws Exception {
    Matcher id = ID.matcher(queue);
    assertThat(id.find()).isTrue();
    return app.post("/actuator/onceward/" + id.group(1), null, word);
  }

  @Test
  void aWordThatIsNoFindingIsRefused() throws Exception {
    assertThat(
            app.post("/actuator/onceward/nonsense", null, "{\"finding\":\"maybe\"}").statusCode())
        .isEqualTo(400);
    HttpResponse<String> refused =
        app.post("/actuator/onceward/nonsense", null, "{\"finding\":\"cannot-tell\"}");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("that is no id of the list");
  }

  @Test
  void whatDidNotHappenIsFreeForARetry() throws Exception {
    provider.failure = CouldNotConnect::new;
    assertThat(app.post("/charges", key, ORDER).statusCode()).isEqualTo(500);
    provider.failure = () -> null;

    assertThat(app.post("/charges", key, ORDER).statusCode()).isEqualTo(201);
    assertThat(provider.charges).hasSize(2);
  }

  @Test
  void aBusinessErrorIsReplayed() throws Exception {
    provider.failure = () -> new ResponseStatusException(HttpStatus.PAYMENT_REQUIRED, "declined");
    assertThat(app.post("/charges", key, ORDER).statusCode()).isEqualTo(402);
    provider.failure = () -> null;

    HttpResponse<String> retry = app.post("/charges", key, ORDER);
    assertThat(retry.statusCode()).isEqualTo(402);
    assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(provider.charges).hasSize(1);
  }
}
