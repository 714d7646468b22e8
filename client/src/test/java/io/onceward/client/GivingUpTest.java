package io.onceward.client;

import static io.onceward.client.Await.failure;
import static io.onceward.client.Await.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.RequestId;
import io.onceward.replica.Request;
import io.onceward.services.CounterCommand;
import io.onceward.services.CounterReply;
import io.onceward.wire.Question;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers who stop waiting: for a session, for a decision. */
class GivingUpTest {
  @TempDir Path folder;
  private final FakeLog log = new FakeLog();
  private final FakeNode node = new FakeNode(log);
  private final Onceward onceward =
      Onceward.builder()
          .address(node.address())
          .retryDelay(Duration.ofMillis(20))
          .answerTimeout(Duration.ofMillis(200))
          .build();

  @AfterEach
  void close() {
    onceward.close();
    node.close();
  }

  private static Bytes add() {
    return CounterCommand.encode(new CounterCommand.Add("x", 1));
  }

  private static long value(Decided decided) {
    return CounterReply.decode(decided.bytes()).value();
  }

  private static boolean opens(Question question) {
    return FakeNode.requestOf(question) instanceof Request.Open;
  }

  private void loseCommands(boolean lost) {
    node.losesQuestion =
        (any, question) -> lost && FakeNode.requestOf(question) instanceof Request.InSession;
  }

  @Test
  void sessionThatNobodyWaitsForIsClosed() {
    for (SessionOptions options :
        new SessionOptions[] {SessionOptions.registered(), SessionOptions.auto("n")}) {
      node.losesAnswer = (any, question) -> opens(question);
      CompletableFuture<Session> opening = onceward.open(options);
      Await.until("it is open in the log", () -> log.sessions() == 1);
      assertThat(opening.cancel(false)).isTrue();
      node.losesAnswer = (any, question) -> false;
      Await.until("it is closed in the log", () -> log.sessions() == 0);
    }
  }

  @Test
  void timeoutGivesUpToo() {
    AtomicInteger closings = new AtomicInteger();
    node.losesQuestion =
        (any, question) -> {
          if (FakeNode.requestOf(question) instanceof Request.Close) {
            closings.incrementAndGet();
          }
          return false;
        };
    node.silent = true;
    CompletableFuture<Session> opening =
        onceward.openSession().orTimeout(100, TimeUnit.MILLISECONDS);
    failure(opening, TimeoutException.class);
    node.silent = false;
    Await.until("it was opened and closed", () -> closings.get() > 0 && log.sessions() == 0);
  }

  @Test
  void durableNameIsLeftAndItsJournalFree_C5() {
    Path journal = folder.resolve("d.journal");
    for (int i = 0; i < 20; i++) {
      node.losesAnswer = (any, question) -> opens(question);
      CompletableFuture<DurableSession> opening = onceward.openDurable("d", journal);
      if (i % 2 == 0) {
        Await.until("it is open in the log", () -> log.sessions() == 1);
      }
      opening.cancel(false);
    }
    node.losesAnswer = (any, question) -> false;
    DurableSession session = join(onceward.openDurable("d", journal));
    assertThat(value(join(session.submit("t", "counter", add())))).isEqualTo(1);
    assertThat(log.sessions()).isEqualTo(1);
    session.close();
  }

  @Test
  void abandonReturnsTheReplyThatCameLate_O2() {
    Session session = join(onceward.openSession());
    loseCommands(true);
    RequestId id =
        failure(
                session.submit("counter", add(), Duration.ofMillis(30)),
                OutcomeUnknownException.class)
            .requestId()
            .orElseThrow();
    loseCommands(false);
    // The watermark of these passes the late reply, so the log has dropped it.
    join(session.submit("counter", add()));
    join(session.submit("counter", add()));
    for (int i = 0; i < 2; i++) {
      assertThat(join(session.abandon(id)))
          .isInstanceOfSatisfying(
              Abandonment.Executed.class,
              executed -> assertThat(value(executed.decided())).isEqualTo(1));
    }
    assertThat(join(onceward.abandon(id))).isInstanceOf(Abandonment.Executed.class);
    assertThat(join(onceward.outcome(id))).isInstanceOf(Outcome.Executed.class);
    assertThat(value(join(session.decision(id)))).isEqualTo(1);
  }

  /** Callers hear of decisions on an executor of theirs, which may be busy. */
  @Test
  void abandonKnowsADecisionThatNobodyHasHeardYet_O2() {
    BlockingQueue<Runnable> held = new LinkedBlockingQueue<>();
    AtomicBoolean holds = new AtomicBoolean();
    Executor busy =
        task -> {
          if (holds.get()) {
            held.add(task);
          } else {
            task.run();
          }
        };
    try (Onceward client = Onceward.builder().address(node.address()).completeOn(busy).build()) {
      Session session = join(client.openSession());
      RequestId id = new RequestId.OfSequence(session.info().address(), 1);
      holds.set(true);
      List<CompletableFuture<Decided>> all = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        all.add(session.submit("counter", add()));
        Await.until("it is decided", () -> session.info().inFlight() == 0);
      }
      CompletableFuture<Abandonment> abandoned = session.abandon(id);
      CompletableFuture<Outcome> outcome = session.outcome(id);
      CompletableFuture<Decided> decision = session.decision(id);
      CompletableFuture<Abandonment> byClient = client.abandon(id);
      holds.set(false);
      for (Runnable task = held.poll(); task != null; task = held.poll()) {
        task.run();
      }
      for (CompletableFuture<Abandonment> each : List.of(abandoned, byClient)) {
        assertThat(join(each))
            .isInstanceOfSatisfying(
                Abandonment.Executed.class,
                executed -> assertThat(value(executed.decided())).isEqualTo(1));
      }
      assertThat(join(outcome)).isInstanceOf(Outcome.Executed.class);
      assertThat(value(join(decision))).isEqualTo(1);
      all.forEach(Await::join);
      assertThat(failure(session.decision(id), OutcomeUnknownException.class))
          .as("it was heard, so it is not kept")
          .isNotNull();
    }
  }

  @Test
  void journalAnswersForWhatTheLogHasDropped_O2() {
    DurableSession session = join(onceward.openDurable("d", folder.resolve("d.journal")));
    RequestId id = join(session.submit("one", "counter", add())).id();
    for (int i = 0; i < 3; i++) {
      join(session.submit("more " + i, "counter", add()));
      Await.until("the watermark passed", () -> session.info().inFlight() == 0);
    }
    assertThat(join(session.outcome(id))).isInstanceOf(Outcome.Executed.class);
    assertThat(join(session.abandon(id))).isInstanceOf(Abandonment.Executed.class);
    assertThat(join(onceward.outcome(id))).isInstanceOf(Outcome.Executed.class);
    assertThat(join(onceward.abandon(id))).isInstanceOf(Abandonment.Executed.class);
    session.close();
  }

  @Test
  void eachCallerOfATagHasADeadlineOfItsOwn_C2() {
    DurableSession session = join(onceward.openDurable("d", folder.resolve("d.journal")));
    loseCommands(true);
    CompletableFuture<Decided> patient = session.submit("t", "counter", add());
    OutcomeUnknownException unknown =
        failure(
            session.submit("t", "counter", add(), Duration.ofMillis(30)),
            OutcomeUnknownException.class);
    assertThat(unknown.requestId()).isPresent();
    CompletableFuture<Decided> second =
        session.submit("t", "counter", add(), Duration.ofMinutes(10));
    assertThat(patient).isNotDone();
    loseCommands(false);
    assertThat(value(join(patient))).isEqualTo(1);
    assertThat(value(join(second))).isEqualTo(1);
    session.close();
  }

  /** A client that sends a second copy only if somebody asks for another request. */
  private Onceward patient() {
    return Onceward.builder().address(node.address()).answerTimeout(Duration.ofMinutes(10)).build();
  }

  private AtomicInteger countLost(Class<? extends Request> what) {
    AtomicInteger lost = new AtomicInteger();
    node.losesAnswer =
        (any, question) -> {
          boolean loses = what.isInstance(FakeNode.requestOf(question));
          lost.addAndGet(loses ? 1 : 0);
          return loses;
        };
    return lost;
  }

  @Test
  void whoWaitsAgainForAKeySendsNothingMore_C1() {
    try (Onceward client = patient()) {
      Keyed keyed = client.keyed();
      Key key = keyed.newKey();
      AtomicInteger lost = countLost(Request.Keyed.class);
      for (int i = 0; i < 20; i++) {
        failure(
            keyed.submit(key, "counter", add(), Duration.ofMillis(1)),
            OutcomeUnknownException.class);
      }
      Await.until("a copy arrived", () -> lost.get() > 0);
      CompletableFuture<Decided> first = keyed.submit(key, "counter", add());
      CompletableFuture<Decided> second =
          keyed.submit(key, "counter", add(), Duration.ofMinutes(5));
      node.losesAnswer = (any, question) -> false;
      node.hangUp();
      assertThat(value(join(first))).isEqualTo(1);
      assertThat(value(join(second))).isEqualTo(1);
      assertThat(join(second).replay()).isTrue();
      assertThat(lost).hasValue(1);
    }
  }

  @Test
  void sameKeyForAnotherRequestIsSent_E7() {
    try (Onceward client = patient()) {
      Keyed keyed = client.keyed();
      Key key = keyed.newKey();
      AtomicInteger lost = countLost(Request.Keyed.class);
      CompletableFuture<Decided> first = keyed.submit(key, "counter", add());
      Bytes other = CounterCommand.encode(new CounterCommand.Add("x", 2));
      CompletableFuture<Decided> second = keyed.submit(key, "counter", other);
      Await.until("both arrived", () -> lost.get() == 2);
      node.losesAnswer = (any, question) -> false;
      node.hangUp();
      assertThat(value(join(first))).isEqualTo(1);
      assertThat(failure(second, RefusedException.class).refusal()).isEqualTo(Refusal.MISMATCH);
    }
  }

  @Test
  void whoKeepsRepliesFindsItsOwnThoughAnotherTookIt_K2() {
    try (Onceward client = patient()) {
      Keyed keyed = client.keyed();
      Key key = keyed.newKey();
      AtomicInteger lost = countLost(Request.Keyed.class);
      CompletableFuture<Decided> taken = keyed.submit(key, "counter", add());
      CompletableFuture<Decided> kept = keyed.keepingReplies().submit(key, "counter", add());
      Await.until("a copy arrived", () -> lost.get() > 0);
      node.losesAnswer = (any, question) -> false;
      node.hangUp();
      assertThat(join(kept).bytes()).isEqualTo(join(taken).bytes());
      // What is taken by the time that the first of these is decided rides on the second.
      join(keyed.submit(keyed.newKey(), "counter", add()));
      join(keyed.submit(keyed.newKey(), "counter", add()));
      assertThat(join(keyed.submit(key, "counter", add())).replay()).isTrue();
    }
  }

  @Test
  void whoAbandonsAKeyAgainSendsNothingMore_C1() {
    try (Onceward client = patient()) {
      Key key = client.keyed().newKey();
      AtomicInteger lost = countLost(Request.AbandonKey.class);
      List<CompletableFuture<Abandonment>> all = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        all.add(client.keyed().abandon(key));
      }
      Await.until("a copy arrived", () -> lost.get() > 0);
      node.losesAnswer = (any, question) -> false;
      node.hangUp();
      for (CompletableFuture<Abandonment> each : all) {
        assertThat(join(each)).isEqualTo(new Abandonment.Closed(true));
      }
      assertThat(lost).hasValue(1);
    }
  }
}
