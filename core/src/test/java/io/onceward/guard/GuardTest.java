package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Executed;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the guard rules on one copy after the other. */
class GuardTest {
  private static final GuardedId ID = GuardedId.of("tenant", Key.text("order 4711"));
  private static final Ask ASK = new Ask(ID, new Fingerprint(1), "charge", "order 4711");
  private static final Reply PAID = Reply.ok("paid");
  private static final Ruling FIRST = new Ruling.Replied(PAID, false);
  private static final Ruling REPLAY = new Ruling.Replied(PAID, true);

  private final HandClock clock = new HandClock();
  private final MemoryStore store = MemoryStore.builder().clock(clock).sweptByHand().build();
  private final AtomicInteger runs = new AtomicInteger();

  @AfterEach
  void close() {
    store.close();
  }

  private Reply pay(Run run) {
    runs.incrementAndGet();
    return PAID;
  }

  private static Effect failing(Exception failure) {
    return run -> {
      throw failure;
    };
  }

  @Test
  void retryGetsTheSameReplyMarkedAsReplay() {
    try (Guard guard = Guard.on(store).build()) {
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(FIRST);
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(REPLAY);
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void retryAtAStoreWithoutGlancesGetsTheSameReplyToo() {
    try (Guard guard = Guard.on(new Troubled(store)).build()) {
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(FIRST);
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(REPLAY);
      assertThat(guard.durability()).isEqualTo(ClaimStore.Durability.DURABLE);
    }
  }

  @Test
  void effectIsHandedFenceKeyAndTimeLeft() {
    try (Guard guard = Guard.on(store).lease(Duration.ofSeconds(30)).build()) {
      List<Run> seen = new ArrayList<>();
      guard.decide(
          ASK,
          run -> {
            seen.add(run);
            return PAID;
          });
      Run run = seen.get(0);
      assertThat(run.id()).isEqualTo(ID);
      assertThat(run.fence()).isEqualTo(1);
      assertThat(run.idempotencyKey()).isEqualTo(ID.idempotencyKey());
      assertThat(run.timeLeft()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(30));
    }
  }

  @Test
  void businessErrorIsRememberedWithoutRunningAgain() {
    try (Guard guard =
        Guard.on(store)
            .classify(
                e -> e instanceof IOException ? Meaning.BUSINESS_ERROR : Meaning.DID_NOT_HAPPEN)
            .build()) {
      Reply declined = Reply.businessError("declined");
      assertThat(guard.decide(ASK, failing(new IOException("declined"))))
          .isEqualTo(new Ruling.Replied(declined, false));
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(new Ruling.Replied(declined, true));
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void whatDidNotHappenIsFreeToRun() {
    try (Guard guard = Guard.on(store).classify(any -> Meaning.DID_NOT_HAPPEN).build()) {
      IOException refused = new IOException("connection refused");
      assertThat(guard.decide(ASK, failing(refused))).isEqualTo(new Ruling.DidNotHappen(refused));
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(FIRST);
    }
  }

  @Test
  void everyOtherExceptionLeavesTheRequestUnknownAndNeverRunsItAgain() {
    try (Guard guard = Guard.on(store).build()) {
      IOException lost = new IOException("connection reset");
      assertThat(guard.decide(ASK, failing(lost)))
          .isEqualTo(new Ruling.Unknown(lost.toString(), lost));
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(new Ruling.Unknown(lost.toString(), null));
      assertThat(runs).hasValue(0);
      UnknownRequest unknown = guard.unknowns(10).get(0);
      assertThat(unknown.id()).isEqualTo(ID);
      assertThat(unknown.operation()).isEqualTo("charge");
      assertThat(unknown.memo()).isEqualTo("order 4711");
      assertThat(unknown.why()).contains("connection reset");
    }
  }

  @Test
  void anErrorLeavesTheRequestUnknownAndIsThrown() {
    try (Guard guard = Guard.on(store).classify(any -> Meaning.DID_NOT_HAPPEN).build()) {
      Error error = new StackOverflowError("deep");
      assertThatThrownBy(
              () ->
                  guard.decide(
                      ASK,
                      run -> {
                        throw error;
                      }))
          .isSameAs(error);
      assertThat(guard.decide(ASK, this::pay)).isInstanceOf(Ruling.Unknown.class);
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void classificationThatFailsLeavesTheRequestUnknown() {
    RuntimeException bug = new IllegalStateException("bug in the classification");
    try (Guard guard =
        Guard.on(store)
            .classify(
                any -> {
                  throw bug;
                })
            .build()) {
      IOException failure = new IOException("what was thrown first");
      assertThat(guard.decide(ASK, failing(failure)))
          .isEqualTo(new Ruling.Unknown(failure.toString(), failure));
      assertThat(failure.getSuppressed()).containsExactly(bug);
    }
  }

  @Test
  void businessErrorWithoutBytesIsUnknown() {
    try (Guard guard =
        Guard.on(store)
            .classify(any -> Meaning.BUSINESS_ERROR)
            .businessReply(
                any -> {
                  throw new IllegalStateException("no bytes");
                })
            .build()) {
      assertThat(guard.decide(ASK, failing(new IOException()))).isInstanceOf(Ruling.Unknown.class);
    }
  }

  @Test
  void effectWithoutAReplyIsUnknown() {
    try (Guard guard = Guard.on(store).build()) {
      assertThat(guard.decide(ASK, run -> null)).isInstanceOf(Ruling.Unknown.class);
      assertThat(guard.decide(ASK, this::pay)).isInstanceOf(Ruling.Unknown.class);
    }
  }

  @Test
  void replyOverTheLimitIsExecutedAndToldToTheFirstAndToRetries() {
    Reply large = Reply.ok(Bytes.of(new byte[101]));
    try (Guard guard = Guard.inMemory().maxReplyBytes(100).build()) {
      assertThat(guard.decide(ASK, run -> large))
          .isEqualTo(new Ruling.Replied(Reply.REPLY_TOO_LARGE, false));
      Ruling retry = guard.decide(ASK, this::pay);
      assertThat(retry).isEqualTo(new Ruling.Replied(Reply.REPLY_TOO_LARGE, true));
      assertThat(retry.executed()).isEqualTo(Executed.YES);
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void replyAtTheLimitIsKept() {
    Reply fits = Reply.ok(Bytes.of(new byte[100]));
    try (Guard guard = Guard.inMemory().maxReplyBytes(100).build()) {
      assertThat(guard.decide(ASK, run -> fits)).isEqualTo(new Ruling.Replied(fits, false));
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(new Ruling.Replied(fits, true));
    }
  }

  @Test
  void theStoresLimitHoldsToo() {
    MemoryStore small = MemoryStore.builder().maxReplyBytes(10).sweptByHand().build();
    try (Guard guard = Guard.on(small).maxReplyBytes(100).build()) {
      assertThat(guard.decide(ASK, run -> Reply.ok("longer than ten bytes")))
          .isEqualTo(new Ruling.Replied(Reply.REPLY_TOO_LARGE, false));
    }
  }

  @Test
  void refusalsNameTheLimit() {
    MemoryStore small = MemoryStore.builder().maxEntries(1).sweptByHand().build();
    try (Guard guard = Guard.on(small).build()) {
      guard.decide(ASK, this::pay);
      Ask another = new Ask(GuardedId.of(Key.text("another")), null, "charge");
      assertThat(guard.decide(another, this::pay))
          .isEqualTo(new Ruling.Refused(Refusal.OVERLOADED, "maxEntries"));
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(REPLAY);
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void listenerHearsOfEveryRuling() {
    List<Ruling> heard = new ArrayList<>();
    try (Guard guard =
        Guard.on(store)
            .listener(
                (ask, ruling, nanos) -> {
                  assertThat(ask.operation()).isEqualTo("charge");
                  assertThat(nanos).isNotNegative();
                  heard.add(ruling);
                })
            .build()) {
      guard.decide(ASK, this::pay);
      guard.decide(ASK, this::pay);
      guard.decideAsync(ASK, run -> new java.util.concurrent.CompletableFuture<>()).join();
      guard.decide(new Ask(ID, new Fingerprint(2), "charge"), this::pay);
      assertThat(heard)
          .containsExactly(FIRST, REPLAY, REPLAY, new Ruling.Refused(Refusal.MISMATCH, ""));
    }
  }

  @Test
  void listenerThatFailsCostsNobodyTheReply() throws Exception {
    RuntimeException bug = new IllegalStateException("bug in the metrics");
    try (Guard guard =
        Guard.on(store)
            .listener(
                (ask, ruling, nanos) -> {
                  throw bug;
                })
            .build()) {
      List<Object> seen = new ArrayList<>();
      Thread caller = new Thread(() -> seen.add(guard.decide(ASK, this::pay)));
      caller.setUncaughtExceptionHandler((thread, thrown) -> seen.add(thrown));
      caller.start();
      caller.join();
      assertThat(seen).containsExactly(bug, FIRST);
    }
  }

  @Test
  void operatorResolvesWhatIsUnknown() {
    try (Guard guard = Guard.on(store).build()) {
      guard.decide(ASK, failing(new IOException()));
      long fence = guard.unknowns(1).get(0).fence();
      assertThat(guard.resolve(ID, fence, new Finding.CannotTell())).isFalse();
      assertThat(guard.resolve(ID, fence + 1, new Finding.CanNoLongerHappen())).isFalse();
      assertThat(guard.decide(ASK, this::pay)).isInstanceOf(Ruling.Unknown.class);
      assertThat(guard.resolve(ID, fence, new Finding.CanNoLongerHappen())).isTrue();
      assertThat(guard.unknowns(1)).isEmpty();
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(FIRST);
      assertThat(guard.resolve(ID, fence, new Finding.Happened(Reply.ok("late word")))).isFalse();
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(REPLAY);
    }
  }

  @Test
  void recordPastItsRetentionRunsAgainUnlessItsKeyIsDated() {
    long micros = (System.currentTimeMillis() - 1000) * 1000;
    Ask dated = new Ask(GuardedId.of(Key.dated(micros, 1)), null, "charge");
    try (Guard guard = Guard.on(store).retention(Duration.ofHours(1)).build()) {
      guard.decide(ASK, this::pay);
      guard.decide(dated, this::pay);
      clock.pass(Duration.ofMinutes(59));
      assertThat(store.sweep(10)).isZero();
      clock.pass(Duration.ofMinutes(1));
      assertThat(store.sweep(10)).isEqualTo(2);
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(FIRST);
      assertThat(guard.decide(dated, this::pay))
          .isEqualTo(new Ruling.Refused(Refusal.FORGOTTEN, ""));
    }
  }

  @Test
  void settingsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> Guard.inMemory().lease(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lease");
    assertThatThrownBy(() -> Guard.inMemory().waitAtMost(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Guard.inMemory().maxReplyBytes(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void foreverIsLongEnough() {
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
    try (Guard guard =
        Guard.inMemory().lease(forever).retention(forever).waitAtMost(forever).build()) {
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(FIRST);
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(REPLAY);
    }
  }
}
