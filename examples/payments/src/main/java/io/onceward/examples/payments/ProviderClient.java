package io.onceward.examples.payments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Talks to the provider, and says of each failure what it means. */
@Component
class ProviderClient {
  /** Shorter than {@code onceward.lease}, so that a run ends before its lease. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The provider said no: an answer. */
  @ResponseStatus(HttpStatus.PAYMENT_REQUIRED)
  static class Declined extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Declined(String message) {
      super(message);
    }
  }

  /** No connection, so nothing was sent: it did not happen and cannot any more. */
  @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
  static class Unreachable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreachable(IOException cause) {
      super(cause);
    }
  }

  /**
   * Without redirects: if one were followed after the charge, {@link Unreachable} would be wrong.
   * Nor does it repeat a POST.
   */
  private final HttpClient http =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build();

  private final URI charges;

  ProviderClient(FakeProvider provider) {
    charges = URI.create("http://127.0.0.1:" + provider.port() + "/charges");
  }

  /** The number of the charge. Every other exception says nothing about what happened. */
  String charge(Payments.Payment payment) {
    HttpRequest request =
        HttpRequest.newBuilder(charges)
            .timeout(PATIENCE)
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    payment.card() + " " + payment.cents() + " for order " + payment.order()))
            .build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() == HttpStatus.PAYMENT_REQUIRED.value()) {
        throw new Declined(answer.body());
      }
      if (answer.statusCode() != HttpStatus.CREATED.value()) {
        throw new IllegalStateException("the provider answered " + answer.statusCode());
      }
      return answer.body();
    } catch (ConnectException e) {
      throw new Unreachable(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the provider was at work", e);
    }
  }
}
