package io.onceward.examples.payments;

import io.onceward.spring.Once;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Money that moves within our own database: exactly-once, in one transaction with the memory. */
@RestController
class Transfers {
  record Transfer(String from, String to, long cents) {
    Transfer {
      Amount.check(cents);
    }
  }

  record Moved(long fromHasLeft) {}

  /** A business error: it is remembered, and what was written is undone. */
  @ResponseStatus(HttpStatus.PAYMENT_REQUIRED)
  static class InsufficientFunds extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InsufficientFunds(String message) {
      super(message);
    }
  }

  /** Another one: money for an account that is not there would be gone. */
  @ResponseStatus(HttpStatus.NOT_FOUND)
  static class NoSuchAccount extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoSuchAccount(String message) {
      super(message);
    }
  }

  private final JdbcTemplate jdbc;

  Transfers(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  @Once(
      operation = "transfer",
      businessErrors = {InsufficientFunds.class, NoSuchAccount.class})
  @PostMapping("/transfers")
  ResponseEntity<Moved> transfer(@RequestBody Transfer transfer) {
    int received =
        jdbc.update(
            "UPDATE account SET cents = cents + ? WHERE name = ?", transfer.cents(), transfer.to());
    if (received == 0) {
      throw new NoSuchAccount("there is no account " + transfer.to());
    }
    List<Long> left =
        jdbc.queryForList(
            "UPDATE account SET cents = cents - ? WHERE name = ? AND cents >= ? RETURNING cents",
            Long.class,
            transfer.cents(),
            transfer.from(),
            transfer.cents());
    if (left.isEmpty()) {
      throw new InsufficientFunds(transfer.from() + " does not have that much");
    }
    return ResponseEntity.created(URI.create("/accounts")).body(new Moved(left.get(0)));
  }

  @GetMapping("/accounts")
  List<Map<String, Object>> accounts() {
    return jdbc.queryForList("SELECT name, cents FROM account ORDER BY name");
  }
}
