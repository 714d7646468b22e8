package io.onceward.spring;

import java.math.BigDecimal;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A bank on a database: what the tests of the transactional home talk to. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
  BankApplication.Payments.class,
  BankApplication.Script.class,
  BankApplication.Ledger.class,
  BankApplication.Branch.class,
  BankApplication.Teller.class,
  BankApplication.Oddities.class,
  BankApplication.Events.class
})
class BankApplication {
  record Order(String account, BigDecimal amount) {}

  record Receipt(int number, BigDecimal amount) {}

  @ResponseStatus(HttpStatus.PAYMENT_REQUIRED)
  static class InsufficientFunds extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InsufficientFunds(String message) {
      super(message);
    }
  }

  /** Answers web requests. */
  @RestController
  static class Payments {
    private final Ledger ledger;

    Payments(Ledger ledger) {
      this.ledger = ledger;
    }

    @Once(businessErrors = InsufficientFunds.class)
    @PostMapping("/payments")
    ResponseEntity<Receipt> pay(
        @RequestBody Order order,
        @RequestHeader(name = "traceparent", required = false) String trace) {
      Receipt receipt = ledger.book(order);
      return ResponseEntity.created(URI.create("/payments/" + receipt.number()))
          .header("X-Ledger", "main")
          .header("Set-Cookie", "session=secret")
          .body(receipt);
    }

    @Once
    @PostMapping("/any")
    ResponseEntity<?> any(@RequestBody Map<String, Object> body) {
      ledger.book(new Order("any", BigDecimal.ONE));
      return ResponseEntity.accepted().body(Map.of("price", new BigDecimal("10.00")));
    }

    /** Over the limit of what is kept. */
    @Once
    @PostMapping("/large")
    ResponseEntity<String> large(@RequestBody Order order) {
      ledger.book(order);
      return ResponseEntity.ok("x".repeat(2 << 20));
    }

    @Once(required = false)
    @PostMapping("/optional")
    Receipt optional(@RequestBody Order order) {
      return ledger.book(order);
    }
  }

  /** What the tests tell the ledger to do, and what it did. */
  static class Script {
    final AtomicInteger runs = new AtomicInteger();
    volatile Supplier<RuntimeException> failure = () -> null;
    volatile Runnable during = () -> {};
    volatile Runnable beforeCommit = () -> {};
  }

  /** Writes, in transactions as its callers or its annotations say. */
  @Component
  static class Ledger {
    private final Script script;
    private final JdbcTemplate jdbc;
    private final ApplicationEventPublisher events;

    Ledger(Script script, JdbcTemplate jdbc, ApplicationEventPublisher events) {
      this.script = script;
      this.jdbc = jdbc;
      this.events = events;
      jdbc.execute(
          "CREATE TABLE IF NOT EXISTS booking"
              + " (number serial PRIMARY KEY, account text, amount numeric)");
    }

    @Transactional
    public Receipt book(Order order) {
      int run = script.runs.incrementAndGet();
      Integer number =
          jdbc.queryForObject(
              "INSERT INTO booking (account, amount) VALUES (?, ?) RETURNING number",
              Integer.class,
              order.account(),
              order.amount());
      events.publishEvent(new Booked(run));
      script.during.run();
      if (order.amount().signum() < 0) {
        throw new InsufficientFunds("account " + order.account() + " is empty");
      }
      RuntimeException thrown = script.failure.get();
      if (thrown != null) {
        throw thrown;
      }
      return new Receipt(number, order.amount());
    }
  }

  record Booked(int run) {}

  /** Hears of bookings that were committed. */
  @Component
  static class Events {
    final List<Booked> committed = new CopyOnWriteArrayList<>();
    private final Script script;

    Events(Script script) {
      this.script = script;
    }

    @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
    public void booking(Booked event) {
      script.beforeCommit.run();
    }

    @TransactionalEventListener
    public void booked(Booked event) {
      committed.add(event);
    }
  }

  /** Services that are called inside the application. */
  @Component
  static class Branch {
    private final Ledger ledger;

    Branch(Ledger ledger) {
      this.ledger = ledger;
    }

    @Once(
        key = "#requestId",
        scope = "#tenant",
        operation = "transfer",
        fingerprint = "#order.amount()",
        businessErrors = InsufficientFunds.class)
    @Transactional
    public Receipt transfer(String requestId, String tenant, Order order) {
      return ledger.book(order);
    }
  }

  /** Services with unusual ideas of what a business error does to a transaction. */
  @Component
  static class Oddities {
    private final Ledger ledger;

    Oddities(Ledger ledger) {
      this.ledger = ledger;
    }

    /** Goes on as if nothing had happened, after its ledger has given the transaction up. */
    @Once(key = "#requestId", businessErrors = InsufficientFunds.class)
    public String tolerant(String requestId, Order order) {
      try {
        return ledger.book(order).toString();
      } catch (InsufficientFunds e) {
        return "never mind";
      }
    }

    @Once(key = "#requestId", businessErrors = InsufficientFunds.class)
    @Transactional(noRollbackFor = InsufficientFunds.class)
    public Receipt stubborn(String requestId, Order order) {
      return ledger.book(order);
    }

    @Once(key = "#requestId", businessErrors = Overdrawn.class)
    @Transactional(rollbackFor = Exception.class)
    public Receipt checked(String requestId, Order order) throws Overdrawn {
      Receipt receipt = ledger.book(order);
      throw new Overdrawn("after number " + receipt.number());
    }
  }

  static class Overdrawn extends Exception {
    private static final long serialVersionUID = 1L;

    Overdrawn(String message) {
      super(message);
    }
  }

  /** Calls the branch in a transaction of its own. */
  @Component
  static class Teller {
    private final Branch branch;

    Teller(Branch branch) {
      this.branch = branch;
    }

    @Transactional
    public Receipt serve(String requestId, Order order, boolean thenFail) {
      Receipt receipt = branch.transfer(requestId, "a", order);
      if (thenFail) {
        throw new IllegalStateException("the teller has a headache");
      }
      return receipt;
    }

    @Transactional
    public String patient(String requestId, Order order) {
      try {
        return branch.transfer(requestId, "a", order).toString();
      } catch (InsufficientFunds e) {
        return "sorry: " + e.getMessage();
      }
    }
  }
}
