package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Callbacks of a transaction that was committed or rolled back, such as a listener to its events,
 * still find it bound to their thread. Nobody would commit what is written there.
 */
class CompletedTransactionTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Bookings.class)
  static class App {}

  @Component
  static class Bookings {
    private final JdbcTemplate jdbc;

    Bookings(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
      this.jdbc = jdbc;
      new TransactionTemplate(transactions)
          .executeWithoutResult(any -> jdbc.execute("CREATE TABLE booking (name text)"));
    }

    @Once(key = "#key")
    public String book(String key) {
      jdbc.update("INSERT INTO booking VALUES (?)", key);
      return "booked";
    }

    @Once(key = "#key")
    @Transactional(propagation = Propagation.NESTED)
    public String bookNested(String key) {
      return book(key);
    }
  }

  private enum Phase {
    AFTER_COMMIT,
    AFTER_COMPLETION
  }

  private record Callback(Phase phase, Runnable call) implements TransactionSynchronization {
    @Override
    public void afterCommit() {
      if (phase == Phase.AFTER_COMMIT) {
        call.run();
      }
    }

    @Override
    public void afterCompletion(int status) {
      if (phase == Phase.AFTER_COMPLETION) {
        call.run();
      }
    }
  }

  private static Running app(boolean autoCommit) {
    return Running.onPostgres(App.class, "spring.datasource.hikari.auto-commit=" + autoCommit);
  }

  private static TransactionTemplate transaction(Running app) {
    return new TransactionTemplate(app.bean(PlatformTransactionManager.class));
  }

  @ParameterizedTest
  @CsvSource({
    "true, AFTER_COMMIT, false",
    "false, AFTER_COMMIT, false",
    "true, AFTER_COMPLETION, false",
    "false, AFTER_COMPLETION, false",
    "false, AFTER_COMPLETION, true"
  })
  void nothingIsBookedInACompletedTransaction(boolean autoCommit, Phase phase, boolean rollsBack) {
    try (Running app = app(autoCommit)) {
      Bookings bookings = app.bean(Bookings.class);
      List<String> told = new ArrayList<>();
      Runnable books =
          () -> {
            try {
              told.add(bookings.book("k"));
            } catch (IllegalStateException refused) {
              told.add(refused.getMessage());
            }
          };
      transaction(app)
          .executeWithoutResult(
              status -> {
                TransactionSynchronizationManager.registerSynchronization(
                    new Callback(phase, books));
                if (rollsBack) {
                  status.setRollbackOnly();
                }
              });
      assertThat(told).singleElement().asString().contains("has been completed");
      assertThat(app.count("booking") + app.count("onceward_request")).isZero();
      assertThat(bookings.book("k")).isEqualTo("booked");
      assertThat(app.count("booking")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCallbackBooksInATransactionOfItsOwn(boolean autoCommit) {
    try (Running app = app(autoCommit)) {
      Bookings bookings = app.bean(Bookings.class);
      TransactionTemplate own = transaction(app);
      own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
      Runnable books = () -> own.executeWithoutResult(status -> bookings.book("k"));
      transaction(app)
          .executeWithoutResult(
              status ->
                  TransactionSynchronizationManager.registerSynchronization(
                      new Callback(Phase.AFTER_COMMIT, books)));
      assertThat(app.count("booking")).isEqualTo(1);
      assertThat(bookings.book("k")).isEqualTo("booked");
      assertThat(app.count("booking")).isEqualTo(1);
    }
  }

  /** It ends with a savepoint, and the transaction around it goes on. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNestedTransactionCompletesNothing(boolean rollsBack) {
    try (Running app = app(true)) {
      Bookings bookings = app.bean(Bookings.class);
      TransactionTemplate nested = transaction(app);
      nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
      transaction(app)
          .executeWithoutResult(
              any -> {
                nested.executeWithoutResult(
                    status -> {
                      if (rollsBack) {
                        status.setRollbackOnly();
                      }
                    });
                assertThat(bookings.book("k")).isEqualTo("booked");
              });
      assertThat(bookings.bookNested("n")).isEqualTo("booked");
      assertThat(app.count("booking")).isEqualTo(2);
    }
  }
}
