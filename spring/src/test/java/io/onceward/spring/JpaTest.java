package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.spring.JpaApplication.Customer;
import io.onceward.spring.JpaApplication.Script;
import io.onceward.spring.JpaApplication.Shop;
import io.onceward.spring.JpaApplication.SoldOut;
import io.onceward.testpostgres.PostgresServer;
import io.onceward.testpostgres.Wire;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;

/** Claim and reply are in the transaction of the persistence context, which writes late. */
class JpaTest {
  private static Wire wire;
  private static Running app;
  private Shop shop;
  private Script script;

  @BeforeAll
  static void start() throws Exception {
    wire = new Wire(PostgresServer.shared().port());
    PGSimpleDataSource database = wire.over(PostgresServer.shared().freshDatabase());
    database.setPrepareThreshold(0);
    app = Running.onJpa(database, JpaApplication.class);
  }

  @AfterAll
  static void stop() throws Exception {
    app.close();
    wire.close();
  }

  @BeforeEach
  void empty() {
    shop = app.bean(Shop.class);
    script = app.bean(Script.class);
    script.runs.set(0);
    app.bean(JdbcTemplate.class).execute("TRUNCATE purchase, onceward_request CASCADE");
  }

  @AfterEach
  void calm() {
    script.during = () -> {};
  }

  private static List<String> items() {
    return app.bean(JdbcTemplate.class)
        .queryForList("SELECT item FROM purchase ORDER BY item", String.class);
  }

  @Test
  void aRetryGetsTheAnswerOfTheFirst() {
    assertThat(app.bean(PlatformTransactionManager.class))
        .isInstanceOf(JpaTransactionManager.class);
    assertThat(shop.buy("k", "tea")).isEqualTo("tea of run 1");
    assertThat(shop.buy("k", "tea")).isEqualTo("tea of run 1");
    assertThat(items()).containsExactly("tea");
  }

  @Test
  void aBusinessErrorIsUndoneAndRememberedAlthoughTheContextIsMarkedAsFailed() {
    for (int copy = 0; copy < 2; copy++) {
      assertThatThrownBy(() -> shop.buy("k", "rare tea"))
          .isInstanceOf(SoldOut.class)
          .hasMessage("no rare tea");
    }
    assertThat(script.runs).hasValue(1);
    assertThat(items()).isEmpty();
    assertThat(app.count("onceward_request")).isEqualTo(1);
  }

  @Test
  void aConstraintThatOnlyTheFlushMeetsIsAnAnswerToo() {
    shop.write("tea");
    for (int copy = 0; copy < 2; copy++) {
      assertThatThrownBy(() -> shop.buy("k", "tea"))
          .isInstanceOf(DataIntegrityViolationException.class);
    }
    assertThat(script.runs).hasValue(1);
    assertThat(app.count("onceward_request")).isEqualTo(1);
  }

  @Test
  void whatABusinessErrorHasUndoneIsNotWrittenByTheRestOfTheWebRequest() throws Exception {
    assertThat(app.post("/second-choice", null, "{}").body()).isEqualTo("coffee then");
    assertThat(items()).containsExactly("coffee");
  }

  @Test
  void insideAnOpenTransactionABusinessErrorFailsTheWholeAndIsNotRemembered() {
    Customer customer = app.bean(Customer.class);

    assertThatThrownBy(() -> customer.patient("k", "rare tea"))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThatThrownBy(() -> customer.patientWithPlain("k", "rare tea"))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(items()).isEmpty();
    assertThat(app.count("onceward_request")).isZero();

    assertThat(customer.patient("k", "tea")).isEqualTo("tea of run 3");
    assertThat(customer.patient("k", "tea")).isEqualTo("tea of run 3");
  }

  @Test
  void aBusinessErrorThatIsReplayedInsideAnOpenTransactionLeavesItAlone() {
    assertThatThrownBy(() -> shop.buy("k", "rare tea")).isInstanceOf(SoldOut.class);

    assertThat(app.bean(Customer.class).patient("k", "rare tea")).isEqualTo("sorry");
    assertThat(script.runs).hasValue(1);
  }

  @Test
  void aRunThatIsRepeatedReadsAnew() throws Exception {
    shop.earn();
    failsOnce();
    assertThat(app.post("/spend", null, "").body()).isEqualTo("left 90");
    assertThat(script.runs).hasValue(2);
    assertThat(cents()).isEqualTo(90);
  }

  /** What a caller has read belongs to a transaction that was rolled back. */
  @Test
  void aRunThatWasGivenAnEntityIsNotRepeated() throws Exception {
    shop.earn();
    failsOnce();
    HttpResponse<String> refused = app.post("/spend-of", null, "");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains("did-not-happen");
    assertThat(cents()).isEqualTo(100);
    assertThat(app.post("/spend-of", null, "").body()).isEqualTo("left 90");
    assertThat(cents()).isEqualTo(90);
  }

  private void failsOnce() {
    script.during =
        () -> {
          script.during = () -> {};
          throw new DataIntegrityViolationException("no", new SQLException("again", "40001"));
        };
  }

  private static int cents() {
    return app.bean(JdbcTemplate.class)
        .queryForList("SELECT cents FROM wallet", Integer.class)
        .get(0);
  }

  @Test
  void aCommitWhoseAnswerIsLostIsNotRepeated() {
    script.during = () -> wire.when("COMMIT", Wire.Fault.LOSE_THE_ANSWER);

    assertThat(shop.buy("k", "tea")).isEqualTo("tea of run 1");
    assertThat(wire.hasStruck()).isTrue();
    assertThat(script.runs).hasValue(1);
    assertThat(items()).containsExactly("tea");
  }
}
