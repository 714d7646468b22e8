package io.onceward.client;

import static io.onceward.client.Await.join;
import static io.onceward.client.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Ruling;
import io.onceward.guard.StoreUnavailableException;
import io.onceward.replica.Request;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Question;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What the store does when the cluster does not answer. That it does what every store does is shown
 * by the contract in the testkit, on a server.
 */
class ClusterStoreTest {
  private static final GuardedId ID = GuardedId.of("shop", Key.text("order 1"));
  private static final Ask ASK = new Ask(ID, null, "charge");
  private static final ClaimTerms HOUR = new ClaimTerms(3_600_000, 3_600_000);
  private static final Reply PAID = Reply.ok("paid");
  private static final Bytes TO_CLAIMS = ServiceDirectory.address("claims", Bytes.EMPTY);

  private final FakeLog log = new FakeLog();
  private final FakeNode node = new FakeNode(log);
  private final Onceward onceward =
      Onceward.builder()
          .address(node.address())
          .answerTimeout(Duration.ofMillis(100))
          .retryDelay(Duration.ofMillis(10))
          .build();
  private final ClusterStore store = onceward.claims("payments");

  @AfterEach
  void close() {
    store.close();
    onceward.close();
    node.close();
  }

  private ClusterStore impatient() {
    return ClusterStore.on(onceward).name("payments").timeout(Duration.ofMillis(300)).open();
  }

  /** Whether a question is a step of a store, and not an opening, a keep-alive, an abandonment. */
  private static boolean isStep(Question question) {
    return FakeNode.requestOf(question) instanceof Request.InSession request
        && request.command().startsWith(TO_CLAIMS);
  }

  @Test
  void claimWhoseAnswerIsLostDoesNotMeetItself() {
    AtomicInteger lost = new AtomicInteger();
    node.losesAnswer = (from, question) -> isStep(question) && lost.getAndIncrement() == 0;
    assertThat(store.claim(ASK, HOUR)).isEqualTo(new Claimed.Started(1));
    assertThat(lost.get()).isGreaterThan(1);
    assertThat(store.claim(ASK, HOUR)).isInstanceOf(Claimed.Running.class);
  }

  /** Else the guard would learn it from its first request. */
  @Test
  void guardWithALongerLeaseThanTheStoreGivesIsNotMade() {
    assertThatThrownBy(() -> Guard.on(store).lease(Duration.ofMinutes(61)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("lease is at most PT1H in a ClusterStore, got PT1H1M");
    Guard.on(store).lease(Duration.ofHours(1)).build();
  }

  @Test
  void claimThatWasTakenUnheardIsGivenBack() {
    ClusterStore hasty = impatient();
    node.losesAnswer = (from, question) -> isStep(question);
    assertThatThrownBy(() -> hasty.claim(ASK, HOUR))
        .isInstanceOf(StoreUnavailableException.class)
        .hasCauseInstanceOf(OutcomeUnknownException.class);
    node.losesAnswer = (from, question) -> false;
    until("it is given back", () -> store.claim(ASK, HOUR).equals(new Claimed.Started(2)));
    hasty.close();
  }

  @Test
  void claimThatNeverArrivedIsClosed() {
    ClusterStore hasty = impatient();
    node.losesQuestion = (to, question) -> isStep(question);
    assertThatThrownBy(() -> hasty.claim(ASK, HOUR)).isInstanceOf(StoreUnavailableException.class);
    node.losesQuestion = (to, question) -> false;
    AtomicLong fence = new AtomicLong();
    // A copy that was on its way may still have come through; then it is given back.
    until("it is free", () -> isStarted(store.claim(ASK, HOUR), fence));
    // It waits for the word on the late claim, which did not take the request from this one.
    hasty.close();
    assertThat(store.done(ID, fence.get(), PAID)).isTrue();
  }

  private static boolean isStarted(Claimed claimed, AtomicLong fence) {
    if (claimed instanceof Claimed.Started started) {
      fence.set(started.fence());
      return true;
    }
    return false;
  }

  /** Released, it would run again although the run before is unknown. */
  @Test
  void rerunThatWasTakenUnheardIsUnknownAgain() {
    assertThat(store.claim(ASK, HOUR)).isEqualTo(new Claimed.Started(1));
    assertThat(store.unknown(ID, 1, "timed out")).isTrue();
    ClusterStore hasty = impatient();
    node.losesAnswer = (from, question) -> isStep(question);
    assertThatThrownBy(() -> hasty.rerun(ASK, 1, HOUR))
        .isInstanceOf(StoreUnavailableException.class);
    node.losesAnswer = (from, question) -> false;
    until("it is unknown again", () -> store.claim(ASK, HOUR) instanceof Claimed.Unknown);
    assertThat(store.unknowns(10)).singleElement().matches(each -> each.fence() == 2);
    hasty.close();
  }

  @Test
  void lostSessionFailsOneStepAndTheNextOpensAnother() {
    assertThat(store.claim(ASK, HOUR)).isEqualTo(new Claimed.Started(1));
    log.pass(3_600_000);
    assertThatThrownBy(() -> store.done(ID, 1, PAID))
        .isInstanceOf(StoreUnavailableException.class)
        .hasCauseInstanceOf(SessionLostException.class);
    assertThat(store.done(ID, 1, PAID)).isTrue();
    assertThat(store.claim(ASK, HOUR)).isEqualTo(new Claimed.Done(PAID));
  }

  @Test
  void guardRunsNothingWhileTheClusterIsAway() {
    node.silent = true;
    AtomicInteger runs = new AtomicInteger();
    ClusterStore hasty = impatient();
    Guard guard = Guard.on(hasty).build();
    assertThat(guard.decide(ASK, run -> Reply.ok("run " + runs.incrementAndGet())))
        .isInstanceOf(Ruling.NoStore.class);
    assertThat(runs).hasValue(0);
    node.silent = false;
    until(
        "the cluster is back",
        () -> guard.decide(ASK, run -> PAID).equals(new Ruling.Replied(PAID, false)));
    assertThat(guard.decide(ASK, run -> PAID)).isEqualTo(new Ruling.Replied(PAID, true));
    guard.close();
    hasty.close();
  }

  @Test
  void longestReplyComesBackWhole() {
    byte[] bytes = new byte[store.maxReplyBytes()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    Reply longest = Reply.businessError(Bytes.of(bytes));
    store.claim(ASK, HOUR);
    assertThat(store.done(ID, 1, longest)).isTrue();
    assertThat(store.claim(ASK, HOUR)).isEqualTo(new Claimed.Done(longest));
  }

  @Test
  void storesOfOtherNamesAreOthers() {
    store.claim(ASK, HOUR);
    try (ClusterStore other = onceward.claims("mails")) {
      assertThat(other.claim(ASK, HOUR)).isEqualTo(new Claimed.Started(1));
    }
    try (ClusterStore same = onceward.claims("payments")) {
      assertThat(same.claim(ASK, HOUR)).isInstanceOf(Claimed.Running.class);
    }
  }

  @Test
  void sweepsByItselfUntilItIsClosed() {
    ClusterStore sweeping =
        ClusterStore.on(onceward).name("payments").sweepEvery(Duration.ofMillis(5)).open();
    store.claim(ASK, new ClaimTerms(1_000, 10));
    store.done(ID, 1, PAID);
    log.pass(10);
    until("it is swept", () -> store.claim(ASK, HOUR) instanceof Claimed.Started);
    sweeping.close();
    until("no thread is left", () -> !threadIsAlive());
  }

  private static boolean threadIsAlive() {
    return Thread.getAllStackTraces().keySet().stream()
            .filter(each -> each.getName().equals("onceward-claims-sweep"))
            .count()
        > 1;
  }

  @Test
  void closedStoreTakesNothingAndLeavesNoSession() {
    store.claim(ASK, HOUR);
    assertThat(log.sessions()).isEqualTo(1);
    store.close();
    assertThat(log.sessions()).isZero();
    assertThatThrownBy(() -> store.claim(ASK, HOUR))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage("the store is closed");
  }

  @Test
  void itRefusesToWaitOnTheThreadThatBringsTheAnswer() {
    Thread here = Thread.currentThread();
    AtomicBoolean tooSoon = new AtomicBoolean();
    CompletableFuture<Void> claimed;
    do { // an answer that is there already is worked on here, where waiting is allowed
      tooSoon.set(false);
      claimed =
          onceward
              .keyed()
              .outcome(Key.text("x"))
              .thenAccept(
                  on -> {
                    if (Thread.currentThread() == here) {
                      tooSoon.set(true);
                    } else {
                      store.claim(ASK, HOUR);
                    }
                  });
    } while (tooSoon.get());
    assertThat(Await.failure(claimed, IllegalStateException.class))
        .hasMessageContaining("completeOn");
    assertThat(join(onceward.openSession()).info().window()).isPositive();
  }
}
