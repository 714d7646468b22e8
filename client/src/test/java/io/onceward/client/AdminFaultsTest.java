package io.onceward.client;

import static io.onceward.client.Await.failure;
import static io.onceward.client.Await.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Executed;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.RequestId;
import io.onceward.Scope;
import io.onceward.replica.Replica.SessionView;
import io.onceward.replica.Request;
import io.onceward.services.CounterCommand;
import io.onceward.wire.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators are told when answers get lost: never that nothing happened if it may have. */
class AdminFaultsTest {
  private static final RequestId ID = new RequestId.OfKey(Scope.NONE, Key.text("order"));

  private static final CounterCommand ADD = new CounterCommand.Add("x", 1);

  private final FakeLog log = new FakeLog();
  private final FakeNode node = new FakeNode(log);
  private final Onceward onceward =
      Onceward.builder()
          .retryDelay(Duration.ofMillis(20))
          .answerTimeout(Duration.ofMillis(200))
          .patience(Duration.ofSeconds(2))
          .address(node.address())
          .build();

  @AfterEach
  void close() {
    onceward.close();
    node.close();
  }

  private static boolean asks(Question question, Class<? extends Request> what) {
    return what.isInstance(FakeNode.requestOf(question));
  }

  private void loseFirstAnswer(Class<? extends Request> what) {
    AtomicInteger lost = new AtomicInteger();
    node.losesAnswer = (here, question) -> asks(question, what) && lost.getAndIncrement() == 0;
  }

  private void assertUnknown(CompletableFuture<?> asked) {
    assertThat(failure(asked, OutcomeUnknownException.class).executed())
        .isEqualTo(Executed.UNKNOWN);
  }

  private void assertUnreachable(CompletableFuture<?> asked) {
    assertThat(failure(asked, UnreachableException.class).executed())
        .isEqualTo(Executed.NOT_THIS_COPY);
  }

  @Test
  void repeatedForgetAdmitsEarlierCopies() {
    Instant before = Instant.ofEpochMilli(System.currentTimeMillis()).minus(Duration.ofDays(1));
    assertThat(join(onceward.admin().forget(before))).isEqualTo(new Admin.Forgotten(0, false));
    loseFirstAnswer(Request.Forget.class);
    assertThat(join(onceward.admin().forget(before))).isEqualTo(new Admin.Forgotten(0, true));
  }

  @Test
  void repeatedForgetByAgeKeepsItsBound() {
    Duration age = Duration.ofMillis(join(onceward.admin().status()).ageMillis());
    Scope scope = new Scope("s");
    join(onceward.keyed(scope).submit(Key.text("a"), "counter", CounterCommand.encode(ADD)));
    log.pass(Duration.ofHours(1).toMillis());
    join(onceward.keyed(scope).submit(Key.text("b"), "counter", CounterCommand.encode(ADD)));
    log.pass(Duration.ofHours(1).toMillis());
    Duration bound = age.plus(Duration.ofHours(1));
    assertThat(join(onceward.admin().countByAge(bound))).isEqualTo(1);
    loseFirstAnswer(Request.ForgetByAge.class);
    assertThat(join(onceward.admin().forgetByAge(bound))).isEqualTo(new Admin.Forgotten(0, true));
    assertThat(join(onceward.admin().countByAge(bound))).isZero();
    assertThat(join(onceward.admin().countByAge(age.plus(Duration.ofHours(9))))).isEqualTo(1);
    assertThat(
            failure(
                onceward.admin().forgetByAge(age.plus(Duration.ofHours(2))),
                RejectedException.class))
        .hasMessageContaining("ten minutes");
  }

  @Test
  void repeatedCloseSucceeds() {
    Session session = join(onceward.openSession());
    SessionView seen = join(onceward.admin().sessions()).get(0);
    loseFirstAnswer(Request.Close.class);
    join(onceward.admin().closeSession(seen));
    assertThat(log.sessions()).isZero();
    join(onceward.admin().closeSession(seen));
    session.leave();
  }

  @Test
  void unansweredChangesAreUnknown() {
    join(onceward.admin().status());
    node.losesAnswer = (here, question) -> true;
    assertUnknown(onceward.abandon(ID));
    assertUnknown(onceward.admin().forget(Instant.EPOCH));
    assertUnknown(onceward.admin().forgetByAge(Duration.ZERO));
    assertUnknown(onceward.admin().setScope(new Scope("s"), Duration.ofDays(1), false));
  }

  @Test
  void changesThatNeverLeftAreUnreachable() {
    node.leads = false;
    assertUnreachable(onceward.abandon(ID));
    assertThat(
            failure(onceward.admin().forget(Instant.EPOCH), UnreachableException.class).executed())
        .isEqualTo(Executed.NEVER);
  }

  @Test
  void lackOfRoomIsWaitedFor_C1() {
    node.lacksRoom = question -> asks(question, Request.AbandonKey.class) && node.refused.get() < 3;
    assertThat(join(onceward.abandon(ID))).isEqualTo(new Abandonment.Closed(false));
    assertThat(node.refused).hasValue(3);
    node.lacksRoom = question -> asks(question, Request.Forget.class);
    RefusedException full = failure(onceward.admin().forget(Instant.EPOCH), RefusedException.class);
    assertThat(full.refusal()).isEqualTo(Refusal.OVERLOADED);
    assertThat(full.mayResend()).isTrue();
    assertThat(node.refused.get()).isGreaterThan(10);
  }

  @Test
  void unansweredReadsAreUnreachable() {
    join(onceward.admin().status());
    node.losesQuestion = (here, question) -> question instanceof Question.Query;
    assertUnreachable(
        onceward.query("counter", CounterCommand.encode(new CounterCommand.Get("x"))));
  }
}
