package io.onceward.client;

import static io.onceward.client.Await.failure;
import static io.onceward.client.Await.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Executed;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.RequestId;
import io.onceward.Scope;
import io.onceward.replica.Replica.SessionView;
import io.onceward.replica.Request;
import io.onceward.services.CounterCommand;
import io.onceward.wire.NodeStatus;
import io.onceward.wire.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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

  private static void assertNotThisCopy(
      CompletableFuture<?> asked, Class<? extends OncewardException> kind) {
    OncewardException failed = failure(asked, kind);
    assertThat(failed.executed()).isEqualTo(Executed.NOT_THIS_COPY);
    assertThat(failed.requestId()).contains(ID);
  }

  /** Another process may have sent the id before, or this one. */
  @Test
  void rejectionSaysNothingAboutEarlierCopiesOfAnId_O3() {
    node.rejects = question -> !(question instanceof Question.Status);
    Bytes add = CounterCommand.encode(ADD);
    assertNotThisCopy(onceward.abandon(ID), RejectedException.class);
    assertNotThisCopy(onceward.outcome(ID), RejectedException.class);
    assertNotThisCopy(
        onceward.keyed().submit(Key.text("order"), "counter", add), RejectedException.class);
    assertNotThisCopy(onceward.keyed().abandon(Key.text("order")), RejectedException.class);
    assertThat(failure(onceward.unkeyed("counter", add), RejectedException.class).executed())
        .isEqualTo(Executed.NEVER);
  }

  @Test
  void rejectedRepetitionLeavesItsFirstCopyOpen_O3() {
    AtomicInteger copies = new AtomicInteger();
    node.losesAnswer = (here, question) -> asks(question, Request.Forget.class);
    node.rejects = question -> asks(question, Request.Forget.class) && copies.getAndIncrement() > 0;
    RejectedException rejected =
        failure(onceward.admin().forget(Instant.EPOCH), RejectedException.class);
    assertThat(rejected.executed()).isEqualTo(Executed.NOT_THIS_COPY);
  }

  @Test
  void closedClientSaysNothingAboutEarlierCopiesOfAnId_O3() {
    node.losesAnswer = (here, question) -> true;
    Bytes add = CounterCommand.encode(ADD);
    Key key = Key.text("order");
    Keyed keyed = onceward.keyed();
    assertUnknown(keyed.submit(key, "counter", add, Duration.ofMillis(50)));
    onceward.close();
    assertNotThisCopy(keyed.submit(key, "counter", add), SessionClosedException.class);
    assertNotThisCopy(keyed.abandon(key), SessionClosedException.class);
    assertNotThisCopy(onceward.abandon(ID), SessionClosedException.class);
    assertNotThisCopy(onceward.outcome(ID), SessionClosedException.class);
    assertThat(failure(onceward.query("counter", add), SessionClosedException.class).executed())
        .isEqualTo(Executed.NEVER);
  }

  @Test
  void closingBeforeAnythingLeftSaysNothingAboutEarlierCopies_O3() {
    node.leads = false;
    CompletableFuture<Abandonment> waiting = onceward.abandon(ID);
    onceward.close();
    assertNotThisCopy(waiting, SessionClosedException.class);
  }

  private Onceward patientOnly(Duration patience) {
    return Onceward.builder()
        .answerTimeout(Duration.ofMinutes(1))
        .patience(patience)
        .address(node.address())
        .build();
  }

  /** Long steps have time of their own, but not for finding somebody who takes them. */
  @Test
  void stepThatNobodyTakesEndsWithPatience_C2() {
    node.leads = false;
    try (Onceward hasty = patientOnly(Duration.ofMillis(300))) {
      assertThat(failure(hasty.admin().removeMember("d"), UnreachableException.class).executed())
          .isEqualTo(Executed.NEVER);
    }
    node.kill();
    try (Onceward hasty = patientOnly(Duration.ofMillis(300))) {
      assertThat(failure(hasty.admin().removeMember("d"), UnreachableException.class).executed())
          .isEqualTo(Executed.NEVER);
      failure(hasty.admin().snapshot(node.address()), UnreachableException.class);
    }
  }

  /** Whether it was asked before the other, which has run out of patience when it is answered. */
  @Test
  void stepThatWasTakenOutlivesPatience() {
    CountDownLatch answers = new CountDownLatch(1);
    node.rejects = question -> question instanceof Question.RemoveMember && await(answers);
    try (Onceward hasty = patientOnly(Duration.ofMillis(300))) {
      join(hasty.admin().status());
      CompletableFuture<String> step = hasty.admin().removeMember("d");
      failure(hasty.outcome(ID), UnreachableException.class);
      assertThat(step).isNotDone();
      answers.countDown();
      assertThat(failure(step, RejectedException.class)).hasMessageContaining("not allowed");
    }
  }

  @Test
  void digestMayTakeAsLongAsPatienceAllows() {
    CountDownLatch answers = new CountDownLatch(1);
    node.losesQuestion =
        (here, question) ->
            question instanceof Question.Status asked && asked.withDigest() && !await(answers);
    try (Onceward patient = patientOnly(Duration.ofMinutes(1))) {
      CompletableFuture<NodeStatus> digest = patient.admin().status(node.address(), true);
      failure(patient.admin().status(node.address()), UnreachableException.class);
      answers.countDown();
      assertThat(join(digest).id()).isEqualTo(node.id());
    }
  }

  private static boolean await(CountDownLatch latch) {
    try {
      latch.await();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void unansweredReadsAreUnreachable() {
    join(onceward.admin().status());
    node.losesQuestion = (here, question) -> question instanceof Question.Query;
    assertUnreachable(
        onceward.query("counter", CounterCommand.encode(new CounterCommand.Get("x"))));
  }
}
