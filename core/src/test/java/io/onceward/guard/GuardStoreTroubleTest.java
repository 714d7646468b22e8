package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.guard.Troubled.Trouble;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The store does not answer: nothing runs without a claim, nothing is told without a record. */
@Timeout(60)
class GuardStoreTroubleTest {
  private static final GuardedId ID = GuardedId.of("tenant", Key.text("order 4711"));
  private static final Ask ASK = new Ask(ID, new Fingerprint(1), "charge");
  private static final Reply PAID = Reply.ok("paid");
  private static final Ruling FIRST = new Ruling.Replied(PAID, false);
  private static final Ruling REPLAY = new Ruling.Replied(PAID, true);

  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration WAIT = Duration.ofSeconds(10);

  private final HandClock clock = new HandClock();
  private final MemoryStore memory = MemoryStore.builder().clock(clock).sweptByHand().build();
  private final Troubled store = new Troubled(memory);
  private final AtomicInteger runs = new AtomicInteger();

  private Guard.Builder guard() {
    return Guard.on(store)
        .clock(clock)
        .lease(LEASE)
        .waitAtMost(WAIT)
        .pollEvery(Duration.ofMillis(1));
  }

  private Reply pay(Run run) {
    runs.incrementAndGet();
    return PAID;
  }

  @Test
  void withoutAClaimNothingRuns() {
    store.claims.add(Trouble.away());
    try (Guard guard = guard().build()) {
      assertThat(guard.decide(ASK, this::pay)).isInstanceOf(Ruling.NoStore.class);
      assertThat(runs).hasValue(0);
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(FIRST);
    }
  }

  @Test
  void claimWhoseAnswerIsLostIsNotRunAndEndsAsUnknown() {
    store.claims.add(Trouble.answerLost());
    try (Guard guard = guard().build()) {
      assertThat(guard.decide(ASK, this::pay)).isInstanceOf(Ruling.NoStore.class);
      clock.pass(LEASE);
      assertThat(guard.decide(ASK, this::pay)).isInstanceOf(Ruling.Unknown.class);
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void storeThatFailsInAnyOtherWayRunsNothingEither() {
    RuntimeException bug = new IllegalStateException("bug in the store");
    store.claims.add(Trouble.throwing(bug));
    try (Guard guard = guard().build()) {
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(new Ruling.NoStore(bug));
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(FIRST);
    }
  }

  @Test
  void completionIsTriedAgainUntilItIsRecorded() {
    store.completions.add(Trouble.away());
    store.completions.add(Trouble.away());
    store.completions.add(Trouble.answerLost());
    try (Guard guard = guard().build()) {
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(FIRST);
      assertThat(store.completed).hasValue(4);
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(REPLAY);
      assertThat(memory.evidence(ID)).isEmpty();
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void replyThatCannotBeRecordedIsNotHandedOut() {
    store.completionsAway = () -> clock.pass(Duration.ofSeconds(7));
    try (Guard guard = guard().build()) {
      Ruling ruling = guard.decide(ASK, this::pay);
      assertThat(ruling).isInstanceOf(Ruling.Unknown.class);
      assertThat(((Ruling.Unknown) ruling).cause()).isInstanceOf(StoreUnavailableException.class);
      assertThat(store.completed).as("for lease and wait, counted from the first").hasValue(10);

      store.completionsAway = null;
      assertThat(guard.decide(ASK, this::pay)).isInstanceOf(Ruling.Unknown.class);
      assertThat(runs).as("and not run again").hasValue(1);
    }
  }

  @Test
  void asynchronousReplyThatCannotBeRecordedIsNotHandedOut() {
    store.completionsAway = () -> clock.pass(Duration.ofSeconds(7));
    try (Guard guard = guard().build()) {
      Ruling ruling =
          guard.decideAsync(ASK, run -> CompletableFuture.completedFuture(pay(run))).join();
      assertThat(ruling).isInstanceOf(Ruling.Unknown.class);
      assertThat(store.completed).hasValue(10);
    }
  }

  @Test
  void releaseWhoseAnswerIsLostIsTriedAgain() {
    store.releases.add(Trouble.answerLost());
    store.releases.add(Trouble.away());
    IOException refused = new IOException("refused");
    try (Guard guard = guard().classify(any -> Meaning.DID_NOT_HAPPEN).build()) {
      Ruling ruling =
          guard.decide(
              ASK,
              run -> {
                throw refused;
              });
      assertThat(ruling).isEqualTo(new Ruling.DidNotHappen(refused));
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(FIRST);
    }
  }

  @Test
  void doubtThatCannotBeRecordedIsLeftToTheLease() {
    store.doubts.add(Trouble.away());
    IOException lost = new IOException("reset");
    try (Guard guard = guard().build()) {
      Ruling ruling =
          guard.decide(
              ASK,
              run -> {
                throw lost;
              });
      assertThat(ruling).isInstanceOf(Ruling.Unknown.class);
      assertThat(((Ruling.Unknown) ruling).cause()).hasSuppressedException(lost);
      clock.pass(LEASE);
      assertThat(guard.decide(ASK, this::pay)).isInstanceOf(Ruling.Unknown.class);
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void completionThatTheStoreCannotTakeAtAllIsNotTriedForEver() {
    store.completions.add(Trouble.throwing(new IllegalStateException("bug in the store")));
    try (Guard guard = guard().build()) {
      assertThat(guard.decide(ASK, this::pay)).isInstanceOf(Ruling.Unknown.class);
      assertThat(store.completed).hasValue(1);
    }
  }
}
