package io.onceward.jdbc;

import static io.onceward.guard.Meaning.BUSINESS_ERROR;
import static io.onceward.guard.Meaning.DID_NOT_HAPPEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardedId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What docs/jdbc.md shows first is what runs here. */
class FiveMinutesTest {
  private static final class InsufficientFunds extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static Reply pay(DataSource dataSource, Fingerprint fingerprint) throws Exception {
    Schema.create(dataSource); // or run the SQL yourself, see below
    OnceTransaction once =
        OnceTransaction.on(dataSource)
            .classify(e -> e instanceof InsufficientFunds ? BUSINESS_ERROR : DID_NOT_HAPPEN)
            .build();

    Ask ask = new Ask(GuardedId.of("shop", Key.text("order 4711")), fingerprint, "pay");
    Reply reply =
        once.execute(
            ask,
            connection -> {
              withdraw(connection, "alice", 10);
              deposit(connection, "bob", 10);
              return Reply.ok("paid 10");
            });
    return reply;
  }

  private static void withdraw(Connection connection, String account, long amount)
      throws SQLException {
    deposit(connection, account, -amount);
  }

  private static void deposit(Connection connection, String account, long amount)
      throws SQLException {
    Bank.update(
        connection,
        "UPDATE account SET balance = balance + ? WHERE name = '" + account + "'",
        amount);
  }

  @Test
  void theFirstExampleOfTheDocumentationMovesTheMoneyOnce() throws Exception {
    Bank bank = new Bank();
    Fingerprint fingerprint = Fingerprint.of("pay", new byte[] {10});
    for (int i = 0; i < 2; i++) {
      assertThat(pay(bank.dataSource(), fingerprint)).isEqualTo(Reply.ok("paid 10"));
    }
    assertThat(bank.balance("alice")).isEqualTo(90);
    assertThat(bank.balance("bob")).isEqualTo(10);
  }

  @Test
  void theDocumentationShowsWhatRunsHere() throws IOException {
    String page = Files.readString(Path.of("../docs/jdbc.md"));
    int begin = page.indexOf("```java\n") + "```java\n".length();
    String shown = page.substring(begin, page.indexOf("```", begin));
    String source =
        Files.readString(Path.of("src/test/java/io/onceward/jdbc/FiveMinutesTest.java"));
    assertThat(source).contains(shown.indent(4).replace("    \n", "\n").stripTrailing());
  }
}
