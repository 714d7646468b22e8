package io.onceward.jdbc;

import static io.onceward.jdbc.Bank.asking;
import static io.onceward.jdbc.Bank.transfer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.onceward.Reply;
import io.onceward.guard.Ruling;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Work that would break the promise is refused, or told what it has done. */
class MisuseTest {
  private final Bank bank = new Bank();
  private final OnceTransaction once = bank.builder().build();

  /** Ends the transaction. */
  private interface Ending {
    void end(Connection connection) throws Exception;
  }

  private void isRefused(Ending ending) {
    Ruling ruling =
        once.decide(
            asking("a"),
            connection -> {
              Bank.move(connection, 10);
              ending.end(connection);
              return Reply.ok("moved");
            });
    assertThat(((Ruling.DidNotHappen) ruling).cause())
        .hasMessageContaining("does not end the transaction");
    assertThat(bank.balance("bob")).isZero();
    assertThat(bank.records()).isZero();
  }

  @Test
  void theWorkCannotCommitOrRollBack() {
    isRefused(Connection::commit);
    isRefused(Connection::rollback);
    isRefused(connection -> connection.setAutoCommit(true));
    isRefused(connection -> connection.abort(Runnable::run));
  }

  @Test
  void closingTheConnectionInsideTheWorkHasNoEffect() {
    Ruling ruling =
        once.decide(
            asking("a"),
            given -> {
              try (Connection connection = given) {
                return transfer(10).run(connection);
              }
            });
    assertThat(ruling).isEqualTo(new Ruling.Replied(Reply.ok("moved 10"), false));
  }

  @Test
  void savepointsOfTheWorkAreItsOwn() {
    once.decide(
        asking("a"),
        connection -> {
          var savepoint = connection.setSavepoint();
          Bank.note(connection, "undone");
          connection.rollback(savepoint);
          Bank.note(connection, "kept");
          return Reply.ok("");
        });
    assertThat(bank.ask("SELECT string_agg(note, ',') FROM entry")).isEqualTo("kept");
  }

  @Test
  void whatWasCommittedByAnSqlStatementIsToldAsFailedAndNeverRunsAgain() {
    Work committing =
        connection -> {
          Bank.note(connection, "before");
          Bank.run(connection, "COMMIT");
          Bank.note(connection, "after");
          return Reply.ok("done");
        };
    assertThatIllegalStateException()
        .isThrownBy(() -> once.decide(asking("a"), committing))
        .withMessageContaining("ended the transaction");
    assertThat(bank.ask("SELECT string_agg(note, ',') FROM entry")).isEqualTo("before");
    assertThat(once.decide(asking("a"), committing))
        .isEqualTo(new Ruling.Replied(Reply.FAILED, true));
    assertThat(bank.entries()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ROLLBACK", "ROLLBACK; BEGIN"})
  void whatIsDoneAfterARollbackByAnSqlStatementIsNotCommitted(String sql) {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                once.decide(
                    asking("a"),
                    connection -> {
                      Bank.run(connection, sql);
                      Bank.note(connection, "after");
                      return Reply.ok("done");
                    }))
        .withMessageContaining("ended the transaction");
    assertThat(bank.entries()).isZero();
    assertThat(bank.records()).isZero();
  }

  /** Services with a schema per tenant do that. */
  @Test
  void aRecordOnAnotherSearchPathIsLeftAlone() {
    Bank other = new Bank();
    Ruling theirs = other.builder().build().decide(asking("theirs"), transfer(10));
    String path = other.dataSource().getCurrentSchema();
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                once.decide(
                    asking("a"),
                    connection -> {
                      Bank.move(connection, 10);
                      Bank.run(connection, "SET LOCAL search_path = " + path);
                      return Reply.ok("moved");
                    }))
        .withMessageContaining("search path");
    assertThat(bank.balance("bob")).isZero();
    assertThat(bank.records()).isZero();
    assertThat(other.builder().build().decide(asking("theirs"), transfer(10)))
        .isEqualTo(new Ruling.Replied(((Ruling.Replied) theirs).reply(), true));
  }

  @Test
  void readOnlyConnectionsAreRefused() {
    PGSimpleDataSource readOnly = bank.anotherDataSource();
    readOnly.setReadOnly(true);
    OnceTransaction reading = OnceTransaction.on(readOnly).build();
    assertThatIllegalStateException()
        .isThrownBy(() -> reading.decide(asking("a"), transfer(10)))
        .withMessageContaining("read-only");
  }

  @Test
  void aRequestThatAsksForItselfIsRefusedAndNotLeftWaiting() {
    Ruling ruling =
        once.decide(asking("a"), connection -> ask(once.decide(asking("a"), transfer(10))));
    assertThat(((Ruling.DidNotHappen) ruling).cause()).hasMessageContaining("same request again");
    assertThat(bank.records()).isZero();
  }

  private static Reply ask(Ruling ruling) {
    return ((Ruling.Replied) ruling).reply();
  }
}
