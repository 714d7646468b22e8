package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Reply;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Meaning;
import io.onceward.guard.Ruling;
import java.sql.Connection;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What was answered is on disk, also for users whose own SQL need not be: a crash of the server
 * must not take a claim, or a reply that somebody has (E2, G2).
 */
class DurableTest {
  private final Bank bank = new Bank();

  /** A trigger that fires with the commit notes the setting that the commit obeys. */
  @BeforeEach
  void watch() {
    bank.run("CREATE TABLE seen (setting text NOT NULL)");
    bank.run(
        "CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN"
            + " INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END$$");
    bank.run(
        "CREATE CONSTRAINT TRIGGER see AFTER INSERT OR UPDATE ON onceward_request"
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION see()");
  }

  private PGSimpleDataSource with(String setting) {
    PGSimpleDataSource source = bank.anotherDataSource();
    source.setOptions("-c synchronous_commit=" + setting);
    return source;
  }

  private String seen() {
    String seen = bank.ask("SELECT string_agg(DISTINCT setting, ',') FROM seen");
    bank.run("DELETE FROM seen");
    return seen;
  }

  @ParameterizedTest
  @CsvSource({"off, on", "local, on", "remote_write, on", "on, on", "remote_apply, remote_apply"})
  void everyTransactionThatIsAnsweredIsDurable(String setting, String expected) throws Exception {
    OnceTransaction once =
        OnceTransaction.on(with(setting)).classify(e -> Meaning.BUSINESS_ERROR).build();
    once.decide(asking("a"), transfer(10));
    assertThat(seen()).as("a reply").isEqualTo(expected);
    once.decide(
        asking("b"),
        connection -> {
          throw new IllegalStateException("no");
        });
    assertThat(seen()).as("a business error").isEqualTo(expected);
    try (Connection connection = with(setting).getConnection()) {
      connection.setAutoCommit(false);
      once.decideWithin(connection, asking("c"), transfer(10));
      connection.commit();
      assertThat(seen()).as("a joined transaction").isEqualTo(expected);
      Bank.note(connection, "mine");
      assertThat(setting(connection)).as("the next transaction is the user's").isEqualTo(setting);
    }
    JdbcClaimStore store = JdbcClaimStore.on(with(setting));
    store.claim(asking("d"), new ClaimTerms(60_000, 60_000));
    store.release(asking("d").id(), 1);
    assertThat(seen()).as("a claim store").isEqualTo("on");
    once.decide(asking("d"), transfer(10));
    assertThat(seen()).as("taken over").isEqualTo(expected);
  }

  @Test
  void theWorkCannotMakeItLessDurable() {
    Ruling ruling =
        bank.builder()
            .build()
            .decide(
                asking("a"),
                connection -> {
                  Bank.run(connection, "SET LOCAL synchronous_commit = off");
                  return transfer(10).run(connection);
                });
    assertThat(ruling).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
    assertThat(seen()).isEqualTo("on");
  }

  @Test
  void everyStepOfAClaimStoreIsDurable() {
    JdbcClaimStore store = JdbcClaimStore.on(with("off"));
    ClaimTerms terms = new ClaimTerms(60_000, 60_000);
    store.claim(asking("a"), terms);
    store.unknown(asking("a").id(), 1, "why");
    store.rerun(asking("a"), 1, terms);
    store.release(asking("a").id(), 2);
    store.claim(asking("a"), terms);
    store.done(asking("a").id(), 3, Reply.ok("paid"));
    assertThat(seen()).isEqualTo("on");
  }

  private static String setting(Connection connection) throws Exception {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SHOW synchronous_commit")) {
      row.next();
      return row.getString(1);
    }
  }
}
