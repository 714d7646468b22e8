package io.onceward.spring;

import io.onceward.guard.Run;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** A shop that has a payment provider charge cards: effects outside. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
  ShopApplication.Checkout.class,
  ShopApplication.Cards.class,
  ShopApplication.CardProvider.class
})
class ShopApplication {
  record Charge(String id, int cents) {}

  static class CouldNotConnect extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** The other side, as the tests have it answer. */
  static class CardProvider {
    final List<Run> charges = new CopyOnWriteArrayList<>();
    volatile Supplier<RuntimeException> failure = () -> null;

    Charge charge(int cents) {
      charges.add(CurrentRun.get());
      RuntimeException thrown = failure.get();
      if (thrown != null) {
        throw thrown;
      }
      return new Charge("ch_" + charges.size(), cents);
    }
  }

  @RestController
  static class Checkout {
    private final Cards cards;
    private final CardProvider provider;

    Checkout(Cards cards, CardProvider provider) {
      this.cards = cards;
      this.provider = provider;
    }

    @Once(
        effect = Once.Effect.OUTSIDE,
        operation = "charge",
        memo = "'order ' + #order['order']",
        businessErrors = ResponseStatusException.class,
        didNotHappen = CouldNotConnect.class)
    @PostMapping("/charges")
    ResponseEntity<Charge> charge(@RequestBody Map<String, Object> order) {
      return ResponseEntity.status(HttpStatus.CREATED)
          .body(provider.charge((Integer) order.get("cents")));
    }

    @Once(effect = Once.Effect.OUTSIDE, operation = "notify")
    @PostMapping("/notices")
    void notice(@RequestBody Map<String, Object> order) {
      provider.charge((Integer) order.get("cents"));
    }

    /** Guarded by the filter where a test configures it, as the next. */
    @PostMapping("/raw")
    ResponseEntity<String> raw(@RequestBody String body) {
      return ResponseEntity.accepted().header("Location", "/raw/1").body(cards.next() + body);
    }

    @PostMapping("/broken")
    String broken() {
      throw new IllegalStateException("perhaps in part");
    }
  }

  @Component
  static class Cards {
    private int count;

    synchronized String next() {
      count++;
      return count + " ";
    }

    @Once(key = "#id", fingerprint = Once.UNCHECKED)
    public int number(String id, int anything) {
      return anything;
    }
  }
}
