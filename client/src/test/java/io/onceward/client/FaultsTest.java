package io.onceward.client;

import static io.onceward.client.Await.failure;
import static io.onceward.client.Await.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Bytes;
import io.onceward.Executed;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.RequestId;
import io.onceward.replica.Request;
import io.onceward.services.CounterCommand;
import io.onceward.services.CounterReply;
import io.onceward.wire.Question;
import io.onceward.wire.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The public API while answers get lost, connections break and leaders change. */
class FaultsTest {
  private static final long HOUR = 3_600_000;

  private final FakeLog log = new FakeLog();
  private final List<FakeNode> nodes = new ArrayList<>();
  private Onceward onceward;

  @AfterEach
  void close() {
    if (onceward != null) {
      onceward.close();
    }
    nodes.forEach(FakeNode::close);
  }

  /** Nodes of which the first one leads. */
  private void cluster(int size) {
    for (int i = 0; i < size; i++) {
      nodes.add(new FakeNode(log));
    }
    nodes.forEach(node -> node.members = nodes);
    lead(nodes.get(0), true);
  }

  private void lead(FakeNode leader, boolean others) {
    for (FakeNode node : nodes) {
      node.leads = node == leader;
      node.term = node == leader ? node.term + nodes.size() : node.term;
      node.hint = others && leader != null ? leader.address() : "";
    }
    if (leader != null) {
      leader.term = nodes.stream().mapToLong(node -> node.term).max().orElse(0) + 1;
    }
  }

  private Onceward.Builder builder() {
    Onceward.Builder builder =
        Onceward.builder()
            .retryDelay(Duration.ofMillis(20))
            .answerTimeout(Duration.ofMillis(300))
            .keepAlive(Duration.ofMillis(200));
    nodes.forEach(node -> builder.address(node.address()));
    return builder;
  }

  private static Bytes add(long amount) {
    return CounterCommand.encode(new CounterCommand.Add("x", amount));
  }

  private static long value(Decided decided) {
    return CounterReply.decode(decided.bytes()).value();
  }

  private static boolean isCommand(Question question) {
    return FakeNode.requestOf(question) instanceof Request.InSession;
  }

  /** Submits many, and checks that each took effect once and in order. */
  private void countOneByOne(Session session, int count, Runnable halfway) {
    List<CompletableFuture<Decided>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(session.submit("counter", add(1)));
      if (i == count / 2) {
        halfway.run();
      }
    }
    for (int i = 0; i < count; i++) {
      assertThat(value(join(all.get(i)))).isEqualTo(i + 1);
    }
  }

  @Test
  void aLostAnswerIsReplacedByAReplay_C1_E3() {
    cluster(1);
    onceward = builder().keepAlive(Duration.ofSeconds(10)).build();
    Session session = join(onceward.openSession());
    AtomicInteger lost = new AtomicInteger();
    nodes.get(0).losesAnswer =
        (node, question) -> isCommand(question) && lost.getAndIncrement() == 0;
    Decided decided = join(session.submit("counter", add(1)));
    assertThat(decided.replay()).isTrue();
    assertThat(value(decided)).isEqualTo(1);
    assertThat(nodes.get(0).streams.get()).as("a new connection").isEqualTo(2);
    assertThat(onceward.traffic().connectionsLost()).isEqualTo(1);
    assertThat(onceward.traffic().resent()).isPositive();
  }

  @Test
  void aBrokenConnectionLosesAndRepeatsNothing_C4() {
    cluster(1);
    onceward = builder().answerTimeout(Duration.ofSeconds(10)).build();
    Session session = join(onceward.openSession());
    countOneByOne(session, 2_000, () -> nodes.get(0).hangUp());
    assertThat(join(Counters.in(session).get("x"))).isEqualTo(2_000);
  }

  @Test
  void theLeaderIsFoundByItsHint_C4() {
    cluster(3);
    lead(nodes.get(2), true);
    onceward = builder().build();
    Session session = join(onceward.openSession());
    countOneByOne(session, 1_000, () -> lead(nodes.get(1), true));
    assertThat(onceward.traffic().leadersFound()).isEqualTo(2);
  }

  @Test
  void theLeaderIsFoundWithoutAnyHint_C4() {
    cluster(3);
    lead(nodes.get(1), false);
    onceward = builder().build();
    Session session = join(onceward.openSession());
    countOneByOne(session, 1_000, () -> lead(nodes.get(0), false));
  }

  @Test
  void aKilledLeaderIsLeftAtOnce_C4() {
    cluster(3);
    onceward = builder().answerTimeout(Duration.ofSeconds(10)).build();
    Session session = join(onceward.openSession());
    countOneByOne(
        session,
        1_000,
        () -> {
          nodes.get(0).kill();
          lead(nodes.get(2), false);
        });
  }

  @Test
  void aLeaderThatFallsSilentIsLeftAfterTheTimeout_C4() {
    cluster(3);
    onceward = builder().build();
    Session session = join(onceward.openSession());
    countOneByOne(
        session,
        500,
        () -> {
          nodes.get(0).silent = true;
          nodes.get(1).leads = true;
          nodes.get(1).term = 9;
        });
    assertThat(onceward.traffic().connectionsLost()).isPositive();
  }

  @Test
  void aDeposedLeaderIsNotBelieved_C4() {
    cluster(2);
    onceward = builder().build();
    Session session = join(onceward.openSession());
    join(session.submit("counter", add(1)));
    // The second one leads a later term; the first still thinks that it leads, and answers nobody.
    nodes.get(1).leads = true;
    nodes.get(1).term = 50;
    nodes.get(0).losesQuestion = (node, question) -> !(question instanceof Question.Status);
    assertThat(value(join(session.submit("counter", add(1))))).isEqualTo(2);
    nodes.get(1).hangUp();
    assertThat(value(join(session.submit("counter", add(1))))).isEqualTo(3);
  }

  @Test
  void aClusterThatComesBackIsFoundAgain_C1() {
    cluster(1);
    onceward = builder().build();
    Session session = join(onceward.openSession());
    join(session.submit("counter", add(1)));
    nodes.get(0).kill();
    CompletableFuture<Decided> waiting = session.submit("counter", add(1));
    Await.until("it was tried in vain", () -> onceward.traffic().connectionsLost() > 2);
    assertThat(waiting).isNotDone();
    nodes.get(0).restart();
    assertThat(value(join(waiting))).isEqualTo(2);
  }

  @Test
  void theDeadlineEndsTheWaitAndTheDecisionCanStillBeHad_C2() {
    cluster(1);
    onceward = builder().build();
    Session session = join(onceward.openSession());
    nodes.get(0).losesQuestion = (node, question) -> isCommand(question);
    OutcomeUnknownException unknown =
        failure(
            session.submit("counter", add(1), Duration.ofMillis(50)),
            OutcomeUnknownException.class);
    assertThat(unknown.executed()).isEqualTo(Executed.UNKNOWN);
    assertThat(unknown.mayResend()).isTrue();
    RequestId id = unknown.requestId().orElseThrow();
    assertThat(unknown).hasMessageContaining(id.print());
    assertThat(join(session.outcome(id))).isInstanceOf(Outcome.NeverSeen.class);
    CompletableFuture<Decided> again = session.decision(id);
    nodes.get(0).losesQuestion = (node, question) -> false;
    assertThat(value(join(again))).isEqualTo(1);
  }

  @Test
  void aDecisionThatNobodyWaitedForIsKeptForWhoAsks_C2() {
    cluster(1);
    onceward = builder().build();
    Session session = join(onceward.openSession());
    nodes.get(0).losesQuestion = (node, question) -> isCommand(question);
    RequestId id =
        failure(
                session.submit("counter", add(1), Duration.ofMillis(50)),
                OutcomeUnknownException.class)
            .requestId()
            .orElseThrow();
    nodes.get(0).losesQuestion = (node, question) -> false;
    join(session.submit("counter", add(1)));
    join(session.submit("counter", add(1)));
    assertThat(join(session.outcome(id))).isInstanceOf(Outcome.Executed.class);
    assertThat(value(join(session.decision(id)))).isEqualTo(1);
    assertThat(failure(session.decision(id), OutcomeUnknownException.class)).isNotNull();
  }

  @Test
  void anAbandonDecidesWhatGotLost_O2() {
    cluster(1);
    onceward = builder().build();
    Session session = join(onceward.openSession());
    nodes.get(0).losesQuestion = (node, question) -> isCommand(question);
    CompletableFuture<Decided> waiting = session.submit("counter", add(1));
    RequestId id = new RequestId.OfSequence(session.info().address(), 1);
    assertThat(join(session.abandon(id))).isEqualTo(new Abandonment.Closed(true));
    RefusedException refused = failure(waiting, RefusedException.class);
    assertThat(refused.executed()).isEqualTo(Executed.NEVER);
    nodes.get(0).losesQuestion = (node, question) -> false;
    assertThat(value(join(session.submit("counter", add(1))))).isEqualTo(1);
  }

  @Test
  void anIdOfAnEarlierIncarnationDoesNotMeanARequestOfThisOne_S3() {
    cluster(1);
    onceward = builder().build();
    Session before = join(onceward.open(SessionOptions.auto("node-1")));
    RequestId old = new RequestId.OfSequence(before.info().address(), 1);
    Session now = join(onceward.open(SessionOptions.auto("node-1")));
    assertThat(now.info().session()).isEqualTo(before.info().session());
    nodes.get(0).losesQuestion = (node, question) -> isCommand(question);
    CompletableFuture<Decided> waiting = now.submit("counter", add(1));
    assertThat(failure(now.abandon(old), RefusedException.class).refusal())
        .isEqualTo(Refusal.SUPERSEDED);
    assertThat(failure(now.decision(old), OutcomeUnknownException.class)).isNotNull();
    nodes.get(0).losesQuestion = (node, question) -> false;
    assertThat(value(join(waiting))).isEqualTo(1);
  }

  @Test
  void anUnkeyedCommandIsNotSentTwice_E10() {
    cluster(1);
    onceward = builder().build();
    nodes.get(0).losesAnswer = (node, question) -> true;
    OutcomeUnknownException unknown =
        failure(onceward.unkeyed("counter", add(1)), OutcomeUnknownException.class);
    assertThat(unknown.requestId()).isEmpty();
    assertThat(unknown.mayResend()).isFalse();
    nodes.get(0).losesAnswer = (node, question) -> false;
    assertThat(join(Counters.of(onceward.keyed()).get("x"))).isEqualTo(1);
  }

  @Test
  void keyedRequestsSurviveFaultsToo_C1() {
    cluster(2);
    onceward = builder().build();
    Keyed keyed = onceward.keyed();
    AtomicInteger count = new AtomicInteger();
    nodes.get(0).losesAnswer = (node, question) -> count.incrementAndGet() % 7 == 0;
    List<CompletableFuture<Decided>> all = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      all.add(keyed.submit(keyed.newKey(), "counter", add(1)));
      if (i == 250) {
        lead(nodes.get(1), true);
      }
    }
    all.forEach(Await::join);
    assertThat(join(Counters.of(keyed).get("x"))).isEqualTo(500);
  }

  @Test
  void aKeyedDeadlineLeavesTheReplyForALaterCopy_C2() {
    cluster(1);
    onceward = builder().build();
    Keyed keyed = onceward.keyed();
    Key key = keyed.newKey();
    nodes.get(0).losesAnswer = (node, question) -> true;
    OutcomeUnknownException unknown =
        failure(
            keyed.submit(key, "counter", add(1), Duration.ofMillis(30)),
            OutcomeUnknownException.class);
    assertThat(unknown.requestId()).contains(new RequestId.OfKey(keyed.scope(), key));
    nodes.get(0).losesAnswer = (node, question) -> false;
    assertThat(value(join(keyed.submit(key, "counter", add(1))))).isEqualTo(1);
  }

  @Test
  void nobodyThereIsSaidClearly() {
    cluster(1);
    nodes.get(0).kill();
    onceward = builder().patience(Duration.ofMillis(300)).build();
    UnreachableException unreachable = failure(onceward.openSession(), UnreachableException.class);
    assertThat(unreachable).hasMessageContaining(nodes.get(0).address());
    assertThat(unreachable).hasMessageContaining("refused");
    assertThat(failure(onceward.query("counter", add(1)), UnreachableException.class))
        .hasMessageContaining(nodes.get(0).address());
    assertThat(failure(onceward.admin().status(nodes.get(0).address()), UnreachableException.class))
        .hasMessageContaining(nodes.get(0).address());
    List<Admin.NodeReport> reports = join(onceward.admin().statusOfAll(false));
    assertThat(reports.get(0).status()).isEmpty();
    assertThat(reports.get(0).problem()).contains("refused");
  }

  @Test
  void nobodyWhoLeadsIsSaidClearly() {
    cluster(2);
    lead(null, false);
    onceward = builder().patience(Duration.ofMillis(300)).build();
    assertThat(failure(onceward.openSession(), UnreachableException.class))
        .hasMessageContaining("follower");
    assertThat(nodes.get(0).questions.get()).as("asked in moderation").isLessThan(20);
  }

  @Test
  void anIdleSessionStaysAliveAndALostOneIsToldByTheKeepAlive_C3_S7() {
    cluster(1);
    onceward = builder().build();
    Session session = join(onceward.openSession());
    AtomicInteger keepAlives = new AtomicInteger();
    nodes.get(0).losesQuestion =
        (node, question) -> {
          if (FakeNode.requestOf(question) instanceof Request.KeepAlive) {
            keepAlives.incrementAndGet();
          }
          return false;
        };
    Await.until("it kept alive", () -> keepAlives.get() >= 2);
    log.pass(400_000);
    assertThat(log.sessions()).isZero();
    Await.until("it learned of its loss", () -> lostBy(session));
  }

  private static boolean lostBy(Session session) {
    CompletableFuture<Decided> submitted = session.submit("counter", add(1));
    return failure(submitted, SessionLostException.class).executed() == Executed.NEVER;
  }

  @Test
  void aSlowKeepAliveIsNotADeadConnection_C3() {
    cluster(1);
    nodes.get(0).expects(new Timing(400, 60_000, 60_000));
    onceward = builder().answerTimeout(Duration.ofMillis(50)).build();
    join(onceward.openSession());
    AtomicInteger keepAlives = new AtomicInteger();
    nodes.get(0).losesQuestion =
        (node, question) -> {
          boolean keepAlive = FakeNode.requestOf(question) instanceof Request.KeepAlive;
          return keepAlive && keepAlives.incrementAndGet() > 0;
        };
    Await.until("one was sent", () -> keepAlives.get() == 1);
    assertThat(onceward.traffic().connectionsLost()).isZero();
    assertThat(join(Counters.of(onceward.keyed()).add("x", 1))).isEqualTo(1);
    assertThat(onceward.traffic().connectionsLost()).isZero();
    Await.until("it is missed in the end", () -> keepAlives.get() == 2);
  }

  /** Without this it would speak every hour, and be forgotten. */
  @Test
  void anIdleSessionFollowsWhatTheLeaderExpects_C3() {
    cluster(1);
    FakeNode node = nodes.get(0);
    node.expects(new Timing(HOUR, 3 * HOUR, 3 * HOUR));
    AtomicInteger keepAlives = countKeepAlives(node);
    onceward = clientWithoutAWish();
    Session session = join(onceward.openSession());
    assertThat(session.info().keepAliveMillis()).isEqualTo(HOUR);
    assertThat(session.info().expiryMillis()).isEqualTo(3 * HOUR);
    assertThat(keepAlives.get()).isZero();
    node.expects(new Timing(20, 3_000, 3_000));
    Await.until("it keeps itself alive", () -> keepAlives.get() > 3);
    assertThat(session.info().keepAliveMillis()).isEqualTo(20);
    assertThat(session.info().expiryMillis()).isEqualTo(3_000);
    Session later = join(onceward.openSession());
    assertThat(later.info().expiryMillis()).as("known already").isEqualTo(3_000);
  }

  @Test
  void onlyTheLeaderIsBelieved_C3() {
    cluster(2);
    lead(nodes.get(0), true);
    nodes.get(0).expects(new Timing(HOUR, 3 * HOUR, 3 * HOUR));
    nodes.get(1).expects(new Timing(30, 4_000, 4_000));
    AtomicInteger keepAlives = countKeepAlives(nodes.get(1));
    onceward = clientWithoutAWish();
    Session session = join(onceward.openSession());
    nodes.get(1).expects(new Timing(40, 5_000, 5_000));
    join(onceward.admin().status(nodes.get(1).address()));
    assertThat(session.info().expiryMillis()).isEqualTo(3 * HOUR);
    lead(nodes.get(1), true);
    join(session.submit("counter", add(1)));
    Await.until("it keeps itself alive there", () -> keepAlives.get() > 3);
    assertThat(session.info().expiryMillis()).isEqualTo(5_000);
    nodes.get(0).expects(new Timing(HOUR, 3 * HOUR, 3 * HOUR));
    join(onceward.admin().status(nodes.get(0).address()));
    assertThat(session.info().expiryMillis()).as("it does not lead any more").isEqualTo(5_000);
  }

  private Onceward clientWithoutAWish() {
    Onceward.Builder builder = Onceward.builder().retryDelay(Duration.ofMillis(20));
    nodes.forEach(node -> builder.address(node.address()));
    return builder.build();
  }

  private static AtomicInteger countKeepAlives(FakeNode node) {
    AtomicInteger keepAlives = new AtomicInteger();
    node.losesQuestion =
        (any, question) -> {
          if (FakeNode.requestOf(question) instanceof Request.KeepAlive) {
            keepAlives.incrementAndGet();
          }
          return false;
        };
    return keepAlives;
  }

  @Test
  void closingLosesNothingSilently_C6() {
    cluster(1);
    onceward = builder().build();
    Session session = join(onceward.openSession());
    Session idle = join(onceward.openSession());
    nodes.get(0).losesQuestion = (node, question) -> isCommand(question);
    CompletableFuture<Decided> waiting = session.submit("counter", add(1));
    CompletableFuture<Decided> keyed = onceward.keyed().submit(Key.text("k"), "counter", add(1));
    join(keyed);
    onceward.close();
    OutcomeUnknownException unknown = failure(waiting, OutcomeUnknownException.class);
    assertThat(unknown.requestId()).isPresent();
    assertThat(failure(session.submit("counter", add(1)), SessionClosedException.class).executed())
        .isEqualTo(Executed.NEVER);
    assertThat(failure(onceward.openSession(), SessionClosedException.class)).isNotNull();
    assertThat(failure(onceward.query("counter", add(1)), SessionClosedException.class))
        .isNotNull();
    assertThat(failure(idle.submit("counter", add(1)), SessionClosedException.class)).isNotNull();
    assertThat(log.sessions()).as("the one with an open question stays").isEqualTo(1);
    onceward.close();
  }

  @Test
  void callersMayBeToldOnThreadsOfTheirOwn_C6() {
    cluster(1);
    ExecutorService executor = Executors.newSingleThreadExecutor(task -> new Thread(task, "mine"));
    try {
      onceward = builder().completeOn(executor).build();
      Session session = join(onceward.openSession());
      nodes.get(0).silent = true;
      CompletableFuture<String> thread =
          session.submit("counter", add(1)).thenApply(decided -> Thread.currentThread().getName());
      nodes.get(0).silent = false;
      assertThat(join(thread)).isEqualTo("mine");
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void whoIsToldMayAskAgainAtOnce() {
    cluster(1);
    onceward = builder().build();
    Session session = join(onceward.openSession());
    CompletableFuture<Decided> chain = session.submit("counter", add(1));
    for (int i = 0; i < 100; i++) {
      chain = chain.thenCompose(decided -> session.submit("counter", add(1)));
    }
    assertThat(value(join(chain))).isEqualTo(101);
    CompletableFuture<Void> closed = chain.thenCompose(decided -> session.closeAsync());
    join(closed);
    assertThat(log.sessions()).isZero();
  }
}
