package io.onceward.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** What somebody who copies the example must not find out with real money. */
class TransfersTest {
  private static final String ACCOUNTS =
      "[{\"name\":\"alice\",\"cents\":10000},{\"name\":\"bob\",\"cents\":0}]";

  private static ConfigurableApplicationContext context;
  private static String base;

  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeAll
  static void start() {
    context =
        SpringApplication.run(PaymentsApplication.class, "--server.port=0", "--provider.port=0");
    base = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @Test
  void moneyForNobodyStaysWhereItIs() throws Exception {
    String body = "{\"from\":\"alice\",\"to\":\"nobody\",\"cents\":1}";
    for (int copy = 0; copy < 2; copy++) {
      assertThat(post("/transfers", "to nobody", body).statusCode()).isEqualTo(404);
      assertThat(get("/accounts")).isEqualTo(ACCOUNTS);
    }
  }

  @Test
  void anAmountBelowOneCentMovesNothing() throws Exception {
    for (int cents : new int[] {-5, 0}) {
      String amount = "\"cents\":" + cents + "}";
      String transfer = "{\"from\":\"alice\",\"to\":\"bob\"," + amount;
      assertThat(post("/transfers", "transfer" + cents, transfer).statusCode()).isEqualTo(400);
      String payment = "{\"order\":\"1\",\"card\":\"good\"," + amount;
      assertThat(post("/payments", "payment" + cents, payment).statusCode()).isEqualTo(400);
    }
    assertThat(get("/accounts")).isEqualTo(ACCOUNTS);
    assertThat(context.getBean(FakeProvider.class).books()).isEmpty();
  }

  @Test
  void aRequestThatIsNoneLeavesItsKeyFree() throws Exception {
    String wrong = "{\"order\":\"2\",\"card\":\"declined\",\"cents\":0}";
    assertThat(post("/payments", "corrected", wrong).statusCode()).isEqualTo(400);
    String right = "{\"order\":\"2\",\"card\":\"declined\",\"cents\":1}";
    assertThat(post("/payments", "corrected", right).statusCode()).isEqualTo(402);
  }

  private HttpResponse<String> post(String path, String key, String body)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Idempotency-Key", '"' + key + '"')
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private String get(String path) throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(URI.create(base + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
