package io.onceward.examples.payments;

import io.onceward.spring.Once;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Money that a provider moves: outside. If its answer is lost, nobody here can know whether the
 * card was charged, so it is not charged again until an operator has looked into the provider's
 * books.
 */
@RestController
class Payments {
  record Payment(String order, String card, long cents) {
    Payment {
      Amount.check(cents);
    }
  }

  record Charge(String charge, long cents) {}

  private final ProviderClient provider;

  Payments(ProviderClient provider) {
    this.provider = provider;
  }

  @Once(
      effect = Once.Effect.OUTSIDE,
      operation = "payment",
      memo = "'order ' + #payment.order()",
      businessErrors = ProviderClient.Declined.class,
      didNotHappen = ProviderClient.Unreachable.class)
  @PostMapping("/payments")
  ResponseEntity<Charge> pay(@RequestBody Payment payment) {
    return ResponseEntity.status(HttpStatus.CREATED)
        .body(new Charge(provider.charge(payment), payment.cents()));
  }
}
