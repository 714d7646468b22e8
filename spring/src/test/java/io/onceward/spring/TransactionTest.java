package io.onceward.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.guard.RefusedByGuardException;
import io.onceward.spring.BankApplication.Branch;
import io.onceward.spring.BankApplication.Events;
import io.onceward.spring.BankApplication.InsufficientFunds;
import io.onceward.spring.BankApplication.Order;
import io.onceward.spring.BankApplication.Receipt;
import io.onceward.spring.BankApplication.Script;
import io.onceward.spring.BankApplication.Teller;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** The transactional home: claim, business SQL and reply commit together (G5). */
class TransactionTest {
  private static final String ORDER = "{\"account\":\"alice\",\"amount\":10.00}";

  /** More than there are connections in the pool, which has four. */
  private static final int COPIES = 16;

  private static final String TOO_MUCH = "{\"account\":\"bob\",\"amount\":-1}";

  private static Running app;
  private Script script;

  @BeforeAll
  static void start() {
    app = Running.onPostgres(BankApplication.class, "onceward.wait-at-most=4s");
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @BeforeEach
  void empty() {
    script = app.bean(Script.class);
    app.bean(JdbcTemplate.class).execute("TRUNCATE booking, onceward_request CASCADE");
    app.bean(Events.class).committed.clear();
    script.runs.set(0);
  }

  @AfterEach
  void calm() {
    script.failure = () -> null;
    script.during = () -> {};
  }

  @Test
  void aRetryGetsTheAnswerOfTheFirstWithStatusAndHeaders() throws Exception {
    HttpResponse<String> first = app.post("/payments", "\"k-1\"", ORDER);
    HttpResponse<String> retry = app.post("/payments", "k-1", ORDER);

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
    assertThat(retry.statusCode()).isEqualTo(201);
    assertThat(retry.body()).isEqualTo(first.body()).contains("10.00");
    assertThat(retry.headers().firstValue("Location"))
        .isEqualTo(first.headers().firstValue("Location"))
        .isPresent();
    assertThat(retry.headers().firstValue("X-Ledger")).contains("main");
    assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(script.runs).hasValue(1);
    assertThat(app.count("booking")).isEqualTo(1);
  }

  @Test
  void aReplayNeverCarriesACookie() throws Exception {
    HttpResponse<String> first = app.post("/payments", "k-cookie", ORDER);
    HttpResponse<String> retry = app.post("/payments", "k-cookie", ORDER);

    assertThat(first.headers().firstValue("Set-Cookie")).isPresent();
    assertThat(retry.headers().firstValue("Set-Cookie")).isEmpty();
  }

  @Test
  void aBodyWhoseTypeIsNotToldKeepsItsDigits() throws Exception {
    HttpResponse<String> first = app.post("/any", "k-any", "{\"b\":1,\"a\":2}");
    HttpResponse<String> retry = app.post("/any", "k-any", "{\"a\":2,\"b\":1}");

    assertThat(first.body()).isEqualTo("{\"price\":10.00}");
    assertThat(retry.body()).isEqualTo(first.body());
    assertThat(retry.statusCode()).isEqualTo(202);
  }

  @Test
  void anotherPayloadUnderTheSameKeyIsRefused() throws Exception {
    app.post("/payments", "k-2", ORDER);
    HttpResponse<String> other = app.post("/payments", "k-2", ORDER.replace("alice", "mallory"));

    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(other.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
    assertThat(other.body()).contains("urn:onceward:problem:mismatch");
    assertThat(app.count("booking")).isEqualTo(1);
  }

  @Test
  void aRequestWithoutAKeyIsRefusedOrPassesAsTheMethodSays() throws Exception {
    HttpResponse<String> refused = app.post("/payments", null, ORDER);
    app.post("/optional", null, ORDER);
    app.post("/optional", null, ORDER);

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("urn:onceward:problem:missing-key");
    assertThat(app.post("/payments", "\"open", ORDER).body())
        .contains("urn:onceward:problem:malformed-key");
    assertThat(app.count("booking")).isEqualTo(2);
  }

  @Test
  void aBusinessErrorIsUndoneAndRemembered() throws Exception {
    HttpResponse<String> first = app.post("/payments", "k-3", TOO_MUCH);
    HttpResponse<String> retry = app.post("/payments", "k-3", TOO_MUCH);

    assertThat(first.statusCode()).isEqualTo(402);
    assertThat(retry.statusCode()).isEqualTo(402);
    assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(script.runs).hasValue(1);
    assertThat(app.count("booking")).isZero();
    assertThat(app.count("onceward_request")).isEqualTo(1);
  }

  @Test
  void whatWaitsForACommitDoesNotHearOfABusinessError() throws Exception {
    app.post("/payments", "k-4", TOO_MUCH);
    assertThat(app.bean(Events.class).committed).isEmpty();

    app.post("/payments", "k-5", ORDER);
    assertThat(app.bean(Events.class).committed).hasSize(1);
  }

  @Test
  void anyOtherExceptionRollsBackAndARetryRuns() throws Exception {
    script.failure = () -> new IllegalStateException("disk full");
    assertThat(app.post("/payments", "k-6", ORDER).statusCode()).isEqualTo(500);
    assertThat(app.count("booking")).isZero();

    script.failure = () -> null;
    HttpResponse<String> retry = app.post("/payments", "k-6", ORDER);
    assertThat(retry.statusCode()).isEqualTo(201);
    assertThat(retry.headers().firstValue("Idempotent-Replayed")).isEmpty();
    assertThat(app.count("booking")).isEqualTo(1);
  }

  @Test
  void aSerializationFailureRunsTheWholeAgain() throws Exception {
    AtomicInteger failures = new AtomicInteger(2);
    script.during =
        () -> {
          if (failures.getAndDecrement() > 0) {
            app.bean(JdbcTemplate.class)
                .execute("DO $$ BEGIN RAISE EXCEPTION 'as told' USING ERRCODE = '40001'; END $$");
          }
        };

    assertThat(app.post("/payments", "k-7", ORDER).statusCode()).isEqualTo(201);
    assertThat(script.runs).hasValue(3);
    assertThat(app.count("booking")).isEqualTo(1);
  }

  @Test
  void aSerializationFailureAtTheCommitRunsTheWholeAgainBeforeAnythingIsHandedOut()
      throws Exception {
    JdbcTemplate jdbc = app.bean(JdbcTemplate.class);
    // A sequence is not rolled back, so the first commit fails and the second does not.
    jdbc.execute(
        """
        CREATE SEQUENCE commits;
        CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('commits') = 1 THEN RAISE EXCEPTION 'as told' USING ERRCODE = '40001'; END IF;
          RETURN NULL;
        END $$;
        CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON booking
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_once();
        """);
    try {
      assertThat(app.post("/payments", "k-commit", ORDER).statusCode()).isEqualTo(201);
      assertThat(script.runs).hasValue(2);
      assertThat(app.count("booking")).isEqualTo(1);
    } finally {
      jdbc.execute("DROP FUNCTION fail_once CASCADE; DROP SEQUENCE commits");
    }
  }

  /** All copies but one wait without a connection, so that others find one in the pool. */
  @Test
  void copiesAtTheSameTimeGetTheSameAnswerAndDoNotStarveThePool() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger entered = new AtomicInteger();
    script.during =
        () -> {
          if (entered.incrementAndGet() == 1) {
            awaitQuietly(go);
          }
        };
    List<CompletableFuture<HttpResponse<String>>> copies = new ArrayList<>();
    for (int i = 0; i < COPIES; i++) {
      copies.add(app.postAsync("/payments", "k-8", ORDER));
    }
    Eventually.until(() -> threadsWithin(TransactionHome.class) == COPIES);
    HttpResponse<String> other =
        app.postAsync("/payments", "k-8-of-another", ORDER).get(20, TimeUnit.SECONDS);
    assertThat(go.getCount()).as("the first still runs").isEqualTo(1);
    go.countDown();

    assertThat(other.statusCode()).isEqualTo(201);
    List<String> bodies = new ArrayList<>();
    for (CompletableFuture<HttpResponse<String>> copy : copies) {
      HttpResponse<String> answer = copy.get(30, TimeUnit.SECONDS);
      assertThat(answer.statusCode()).isEqualTo(201);
      bodies.add(answer.body());
    }
    assertThat(bodies).containsOnly(bodies.get(0));
    assertThat(script.runs).as("the copies, and the other").hasValue(2);
  }

  /** How many requests have come as far as to this class, and have not returned from it. */
  private static long threadsWithin(Class<?> type) {
    return Thread.getAllStackTraces().values().stream()
        .filter(
            stack -> Arrays.stream(stack).anyMatch(f -> f.getClassName().equals(type.getName())))
        .count();
  }

  @Test
  void aCopyThatWaitsInVainIsToldToComeBack() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    script.during =
        () -> {
          started.countDown();
          awaitQuietly(go);
        };
    CompletableFuture<HttpResponse<String>> first = app.postAsync("/payments", "k-9", ORDER);
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    HttpResponse<String> copy = app.post("/payments", "k-9", ORDER);
    go.countDown();

    assertThat(copy.statusCode()).isEqualTo(409);
    assertThat(copy.body()).contains("urn:onceward:problem:in-progress");
    assertThat(copy.headers().firstValue("Retry-After")).isPresent();
    assertThat(first.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
  }

  @Test
  void aClientThatDisconnectsDoesNotCancelTheRecord() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    script.during =
        () -> {
          started.countDown();
          awaitQuietly(go);
        };
    CompletableFuture<HttpResponse<String>> first = app.postAsync("/payments", "k-10", ORDER);
    assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
    first.cancel(true);
    go.countDown();

    HttpResponse<String> retry = app.post("/payments", "k-10", ORDER);
    assertThat(retry.statusCode()).isEqualTo(201);
    assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
    assertThat(script.runs).hasValue(1);
    assertThat(app.count("booking")).isEqualTo(1);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aReplyTooLargeToKeepIsNotExecutedAgain() throws Exception {
    for (int copy = 0; copy < 2; copy++) {
      HttpResponse<String> told = app.post("/large", "k-11", ORDER);
      assertThat(told.statusCode()).isEqualTo(410);
      assertThat(told.body())
          .contains("urn:onceward:problem:reply-not-kept", "\"executed\":\"yes\"");
    }
    assertThat(script.runs).hasValue(1);
    assertThat(app.count("booking")).isEqualTo(1);
  }

  @Test
  void aServiceMethodTakesKeyScopeAndFingerprintFromItsArguments() {
    Branch branch = app.bean(Branch.class);
    Receipt first = branch.transfer("r-1", "a", new Order("x", BigDecimal.TEN));
    Receipt retry = branch.transfer("r-1", "a", new Order("other account", BigDecimal.TEN));
    Receipt otherTenant = branch.transfer("r-1", "b", new Order("x", BigDecimal.TEN));

    assertThat(retry).isEqualTo(first);
    assertThat(otherTenant).isNotEqualTo(first);
    assertThatThrownBy(() -> branch.transfer("r-1", "a", new Order("x", BigDecimal.ONE)))
        .isInstanceOf(RefusedByGuardException.class)
        .hasMessageContaining("MISMATCH");
    assertThatThrownBy(() -> branch.transfer("r-2", "a", new Order("x", new BigDecimal(-1))))
        .isInstanceOf(InsufficientFunds.class);
    assertThatThrownBy(() -> branch.transfer("r-2", "a", new Order("x", new BigDecimal(-1))))
        .isInstanceOf(InsufficientFunds.class)
        .hasMessage("account x is empty");
    assertThat(script.runs).hasValue(3);
  }

  @Test
  void insideAnOpenTransactionNothingIsRememberedThatItsOwnerRollsBack() {
    Teller teller = app.bean(Teller.class);
    Order order = new Order("x", BigDecimal.TEN);

    assertThatThrownBy(() -> teller.serve("r-3", order, true))
        .isInstanceOf(IllegalStateException.class);
    assertThat(app.count("booking")).isZero();
    assertThat(app.count("onceward_request")).isZero();

    Receipt served = teller.serve("r-3", order, false);
    assertThat(teller.serve("r-3", order, false)).isEqualTo(served);
    assertThat(app.count("booking")).isEqualTo(1);
  }

  @Test
  void insideAnOpenTransactionABusinessErrorThatItsOwnerBearsIsRemembered() {
    Teller teller = app.bean(Teller.class);
    Order order = new Order("x", new BigDecimal(-1));

    assertThat(teller.patient("r-4", order)).isEqualTo("sorry: account x is empty");
    assertThat(app.count("booking")).isZero();
    assertThat(teller.patient("r-4", order)).isEqualTo("sorry: account x is empty");
    assertThat(script.runs).hasValue(1);

    assertThatThrownBy(() -> teller.serve("r-5", order, false))
        .isInstanceOf(InsufficientFunds.class);
    assertThat(app.count("onceward_request")).isEqualTo(1);
  }
}
