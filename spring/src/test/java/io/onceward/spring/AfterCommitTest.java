package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.spring.BankApplication.Script;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What fails after the commit does not undo it, and no caller is told that it did not happen. */
class AfterCommitTest {
  private static Running app;

  @BeforeAll
  static void start() {
    app = Running.onPostgres(BankApplication.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"23505", "40001", "08006", "none"})
  void aFailureAfterTheCommitDoesNotCostTheReply(String state) throws Exception {
    Script script = app.bean(Script.class);
    script.runs.set(0);
    int before = app.count("booking");
    script.during =
        () ->
            TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                  @Override
                  public void afterCommit() {
                    throw state.equals("none")
                        ? new IllegalStateException("no mail today")
                        : new DataIntegrityViolationException(
                            "of something else", new SQLException("no", state));
                  }
                });
    String order = "{\"account\":\"alice\",\"amount\":10.00}";
    HttpResponse<String> first = app.post("/payments", "k-" + state, order);
    HttpResponse<String> retry = app.post("/payments", "k-" + state, order);

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(retry.statusCode()).isEqualTo(201);
    assertThat(retry.body()).isEqualTo(first.body());
    assertThat(script.runs).hasValue(1);
    assertThat(app.count("booking")).isEqualTo(before + 1);
  }
}
