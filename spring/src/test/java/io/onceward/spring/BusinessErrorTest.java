package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.GuardException;
import io.onceward.guard.GuardedId;
import io.onceward.guard.ReplyNotKeptException;
import io.onceward.guard.Ruling;
import io.onceward.jdbc.OnceTransaction;
import io.onceward.spring.BankApplication.Branch;
import io.onceward.spring.BankApplication.InsufficientFunds;
import io.onceward.spring.BankApplication.Oddities;
import io.onceward.spring.BankApplication.Order;
import io.onceward.spring.BankApplication.Overdrawn;
import io.onceward.spring.BankApplication.Script;
import io.onceward.testpostgres.PostgresServer;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A business error undoes the writes and is remembered, in one and the same transaction (G5). */
class BusinessErrorTest {
  private static final Order TOO_MUCH = new Order("bob", new BigDecimal(-1));
  private static final PGSimpleDataSource DATABASE = PostgresServer.shared().freshDatabase();

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(BankApplication.class)
  static class Watched {
    @Bean
    Begun begun() {
      return new Begun();
    }
  }

  /** Hears of each transaction that is begun. */
  static class Begun implements TransactionExecutionListener {
    final List<String> transactions = new CopyOnWriteArrayList<>();
    volatile Runnable beforeCommit = () -> {};

    @Override
    public void afterBegin(TransactionExecution transaction, Throwable failure) {
      transactions.add(transaction.getTransactionName());
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
              beforeCommit.run();
            }
          });
    }
  }

  private static Running app;
  private Script script;

  @BeforeAll
  static void start() {
    app =
        Running.onPostgres(
            DATABASE,
            Watched.class,
            "onceward.jdbc.create-schema=true",
            "onceward.max-reply-size=2KB");
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @BeforeEach
  void empty() {
    script = app.bean(Script.class);
    app.bean(JdbcTemplate.class).execute("TRUNCATE booking, onceward_request CASCADE");
    app.bean(Begun.class).transactions.clear();
    script.runs.set(0);
  }

  @AfterEach
  void calm() {
    script.during = () -> {};
    script.beforeCommit = () -> {};
    app.bean(Begun.class).beforeCommit = () -> {};
  }

  private void transfer() {
    app.bean(Branch.class).transfer("r", "a", TOO_MUCH);
  }

  @Test
  void itIsRecordedInTheTransactionThatHasTheClaim() {
    assertThatThrownBy(this::transfer).isInstanceOf(InsufficientFunds.class);

    assertThat(app.bean(Begun.class).transactions).containsExactly("transfer");
    assertThat(app.count("booking")).isZero();
    assertThat(app.count("onceward_request")).isEqualTo(1);
  }

  /** A copy in another process waits on the row: between undoing and recording it would run. */
  @Test
  void noCopyRunsBetweenTheUndoingAndTheRecord() throws Exception {
    OnceTransaction elsewhere = OnceTransaction.on(DATABASE).build();
    AtomicReference<CompletableFuture<Ruling>> copy = new AtomicReference<>();
    Ask ask =
        new Ask(
            new GuardedId("", new Scope("transfer / a"), Key.text("r")), null, "transfer", "copy");
    script.during =
        () -> {
          copy.set(
              CompletableFuture.supplyAsync(
                  () -> elsewhere.decide(ask, connection -> Reply.ok(Bytes.utf8("it ran")))));
          Eventually.until(() -> waiting() == 1);
        };

    assertThatThrownBy(this::transfer).isInstanceOf(InsufficientFunds.class);
    assertThat(copy.get().get(20, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            Ruling.Replied.class,
            replied -> {
              assertThat(replied.replay()).isTrue();
              assertThat(replied.reply().kind()).isEqualTo(Reply.Kind.BUSINESS_ERROR);
            });
    assertThat(script.runs).hasValue(1);
  }

  private static int waiting() {
    Integer count =
        new JdbcTemplate(DATABASE)
            .queryForObject(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND"
                    + " wait_event_type = 'Lock'",
                Integer.class);
    return count == null ? 0 : count;
  }

  @Test
  void itsWritesAreUndoneWhateverTheRollbackRulesSay() {
    Oddities odd = app.bean(Oddities.class);
    for (int copy = 0; copy < 2; copy++) {
      assertThatThrownBy(() -> odd.stubborn("r-1", TOO_MUCH)).isInstanceOf(InsufficientFunds.class);
      assertThatThrownBy(() -> odd.checked("r-2", new Order("bob", BigDecimal.ONE)))
          .isInstanceOf(Overdrawn.class)
          .hasMessageStartingWith("after number");
    }
    assertThat(script.runs).hasValue(2);
    assertThat(app.count("booking")).isZero();
    assertThat(app.count("onceward_request")).isEqualTo(2);
  }

  @Test
  void oneThatIsTooLargeToKeepIsUndoneAndNotRunAgain() {
    Order order = new Order("b".repeat(3000), new BigDecimal(-1));
    for (int copy = 0; copy < 2; copy++) {
      assertThatThrownBy(() -> app.bean(Branch.class).transfer("r", "a", order))
          .isInstanceOf(ReplyNotKeptException.class);
    }
    assertThat(script.runs).hasValue(1);
    assertThat(app.count("booking")).isZero();
    assertThat(app.count("onceward_request")).isEqualTo(1);
  }

  @Test
  void aTransactionThatWasGivenUpInsideIsRolledBackAndNotUnknown() {
    Oddities odd = app.bean(Oddities.class);

    assertThatThrownBy(() -> odd.tolerant("r", TOO_MUCH))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(script.runs).hasValue(1);
    assertThat(app.count("booking")).isZero();
    assertThat(app.count("onceward_request")).isZero();
  }

  @Test
  void aListenerThatPreventsTheCommitLeavesNothingUnknown() {
    script.beforeCommit =
        () -> {
          throw new IllegalStateException("not on my watch");
        };

    assertThatThrownBy(
            () -> app.bean(Branch.class).transfer("r", "a", new Order("x", BigDecimal.ONE)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("not on my watch");
    assertThat(script.runs).hasValue(1);
    assertThat(app.count("booking")).isZero();
    assertThat(app.count("onceward_request")).isZero();
  }

  @Test
  void aReplayIsTrueWhateverBecomesOfTheTransactionThatFoundIt() {
    Branch branch = app.bean(Branch.class);
    Order order = new Order("x", BigDecimal.ONE);
    Object first = branch.transfer("r", "a", order);
    app.bean(Begun.class).beforeCommit =
        () -> {
          throw new IllegalStateException("not on my watch");
        };

    assertThat(branch.transfer("r", "a", order)).isEqualTo(first);
    assertThatThrownBy(() -> branch.transfer("r", "a", TOO_MUCH))
        .isInstanceOf(GuardException.class);
    assertThat(script.runs).hasValue(1);
  }
}
