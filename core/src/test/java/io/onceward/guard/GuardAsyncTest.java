package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The asynchronous form, and the end of a guard. */
@Timeout(60)
class GuardAsyncTest {
  private static final GuardedId ID = GuardedId.of("tenant", Key.text("order 4711"));
  private static final Ask ASK = new Ask(ID, new Fingerprint(1), "charge");
  private static final Reply PAID = Reply.ok("paid");
  private static final Ruling FIRST = new Ruling.Replied(PAID, false);
  private static final Ruling REPLAY = new Ruling.Replied(PAID, true);

  private final MemoryStore memory = MemoryStore.builder().sweptByHand().build();
  private final Troubled store = new Troubled(memory);
  private final AtomicInteger runs = new AtomicInteger();
  private final CompletableFuture<Reply> answer = new CompletableFuture<>();

  private CompletableFuture<Reply> pay(Run run) {
    runs.incrementAndGet();
    return answer;
  }

  private void awaitRun() {
    while (runs.get() == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void twinsWaitForTheSameAnswer() {
    for (ClaimStore each : List.of(memory, store)) {
      Ask ask = new Ask(GuardedId.of(Key.text(each.toString())), new Fingerprint(1), "charge");
      CompletableFuture<Reply> later = new CompletableFuture<>();
      try (Guard guard = Guard.on(each).build()) {
        CompletableFuture<Void> started = new CompletableFuture<>();
        CompletableFuture<Ruling> first =
            guard.decideAsync(
                ask,
                run -> {
                  started.complete(null);
                  return later;
                });
        started.join();
        CompletableFuture<Ruling> twin = guard.decideAsync(ask, run -> later);
        CompletableFuture<Ruling> other =
            guard.decideAsync(new Ask(ask.id(), new Fingerprint(2), "charge"), run -> later);
        later.complete(PAID);
        assertThat(first.join()).isEqualTo(FIRST);
        assertThat(twin.join()).isEqualTo(REPLAY);
        assertThat(other.join()).isEqualTo(new Ruling.Refused(Refusal.MISMATCH, ""));
        assertThat(guard.decideAsync(ask, run -> later).join()).isEqualTo(REPLAY);
      }
    }
  }

  @Test
  void blockingTwinGetsTheAnswerOfAnAsynchronousRun() throws Exception {
    try (Guard guard = Guard.on(store).build()) {
      CompletableFuture<Ruling> first = guard.decideAsync(ASK, this::pay);
      awaitRun();
      CompletableFuture<Ruling> twin =
          CompletableFuture.supplyAsync(() -> guard.decide(ASK, run -> Reply.ok("second")));
      answer.complete(PAID);
      assertThat(first.join()).isEqualTo(FIRST);
      assertThat(twin.join()).isEqualTo(REPLAY);
    }
  }

  @Test
  void twinWaitsOnlySoLong() {
    for (ClaimStore each : List.of(memory, store)) {
      Ask ask = new Ask(GuardedId.of(Key.text(each.toString())), null, "charge");
      try (Guard guard = Guard.on(each).waitAtMost(Duration.ofMillis(10)).build()) {
        CompletableFuture<Reply> later = new CompletableFuture<>();
        CompletableFuture<Void> started = new CompletableFuture<>();
        CompletableFuture<Ruling> first =
            guard.decideAsync(
                ask,
                run -> {
                  started.complete(null);
                  return later;
                });
        started.join();
        assertThat(guard.decideAsync(ask, run -> later).join())
            .isInstanceOf(Ruling.InProgress.class);
        later.complete(PAID);
        assertThat(first.join()).isEqualTo(FIRST);
      }
    }
  }

  @Test
  void copyInAnotherProcessPollsAndGetsTheReply() {
    try (Guard p1 = Guard.on(store).build();
        Guard p2 = Guard.on(store).pollEvery(Duration.ofMillis(2)).build()) {
      CompletableFuture<Ruling> first = p1.decideAsync(ASK, this::pay);
      awaitRun();
      CompletableFuture<Ruling> elsewhere = p2.decideAsync(ASK, this::pay);
      while (store.claimed.get() < 5) {
        Thread.onSpinWait();
      }
      answer.complete(PAID);
      assertThat(first.join()).isEqualTo(FIRST);
      assertThat(elsewhere.join()).isEqualTo(REPLAY);
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void exceptionsMeanWhatTheyMeanInABlockingEffect() {
    IOException lost = new IOException("reset");
    List<AsyncEffect> failing =
        List.of(
            run -> CompletableFuture.failedFuture(lost),
            run -> {
              throw lost;
            },
            run -> CompletableFuture.<Reply>failedFuture(lost).thenApply(reply -> reply));
    int i = 0;
    for (AsyncEffect effect : failing) {
      Ask ask = new Ask(GuardedId.of(Key.text("failing " + i++)), null, "charge");
      try (Guard guard = Guard.on(store).build()) {
        assertThat(guard.decideAsync(ask, effect).join())
            .isEqualTo(new Ruling.Unknown(lost.toString(), lost));
      }
    }
  }

  @Test
  void noStageAndNoReplyAreUnknown() {
    try (Guard guard = Guard.on(store).build()) {
      assertThat(guard.decideAsync(ASK, run -> null).join()).isInstanceOf(Ruling.Unknown.class);
      Ask another = new Ask(GuardedId.of(Key.text("another")), null, "charge");
      assertThat(guard.decideAsync(another, run -> CompletableFuture.completedFuture(null)).join())
          .isInstanceOf(Ruling.Unknown.class);
    }
  }

  @Test
  void anErrorLeavesTheRequestUnknownAndIsToldAsItself() {
    Error error = new AssertionError("broken");
    try (Guard guard = Guard.on(store).build()) {
      assertThatThrownBy(
              () -> guard.decideAsync(ASK, run -> CompletableFuture.failedFuture(error)).get())
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isSameAs(error);
      assertThat(guard.decideAsync(ASK, this::pay).join()).isInstanceOf(Ruling.Unknown.class);
      assertThat(runs).hasValue(0);
    }
  }

  /** A client that disconnects gives up the answer, not the request. */
  @Test
  void cancellingTheFutureDoesNotLoseTheRecord() {
    for (ClaimStore each : List.of(memory, store)) {
      Ask ask = new Ask(GuardedId.of(Key.text(each.toString())), null, "charge");
      CompletableFuture<Reply> later = new CompletableFuture<>();
      try (Guard guard = Guard.on(each).build()) {
        CompletableFuture<Void> started = new CompletableFuture<>();
        CompletableFuture<Ruling> first =
            guard.decideAsync(
                ask,
                run -> {
                  started.complete(null);
                  return later;
                });
        started.join();
        assertThat(first.cancel(true)).isTrue();
        later.complete(PAID);
        assertThat(guard.decide(ask, run -> Reply.ok("second"))).isEqualTo(REPLAY);
        assertThat(guard.decide(ask, run -> Reply.ok("third"))).isEqualTo(REPLAY);
      }
    }
  }

  @Test
  void storeThatMayBlockIsAskedOnThreadsOfTheGuard() {
    try (Guard guard = Guard.on(store).build()) {
      answer.complete(PAID);
      assertThat(guard.decideAsync(ASK, this::pay).join()).isEqualTo(FIRST);
      assertThat(store.threads).allMatch(name -> name.startsWith("onceward-guard-"));
    }
  }

  @Test
  void storeIsAskedOnTheGivenExecutor() {
    ExecutorService given = Executors.newSingleThreadExecutor(task -> new Thread(task, "given"));
    try (Guard guard = Guard.on(store).executor(given).build()) {
      answer.complete(PAID);
      assertThat(guard.decideAsync(ASK, this::pay).join()).isEqualTo(FIRST);
      assertThat(store.threads).containsOnly("given");
    } finally {
      given.shutdownNow();
    }
  }

  /** What a servlet filter needs: the chain runs on the thread that the container gave. */
  @Test
  void withADirectExecutorTheEffectBeginsOnTheCallersThread() {
    try (Guard guard = Guard.on(store).executor(Runnable::run).build()) {
      String caller = Thread.currentThread().getName();
      CompletableFuture<Ruling> first = guard.decideAsync(ASK, this::pay);
      assertThat(runs).hasValue(1);
      assertThat(store.threads).containsExactly(caller);
      answer.complete(PAID);
      assertThat(first).isCompletedWithValue(FIRST);
      assertThat(store.threads).containsExactly(caller, caller);
    }
  }

  @Test
  void executorThatTakesNoMoreDoesNotCostTheRecord() {
    ExecutorService given = Executors.newSingleThreadExecutor();
    try (Guard guard = Guard.on(store).executor(given).build()) {
      CompletableFuture<Ruling> first = guard.decideAsync(ASK, this::pay);
      awaitRun();
      given.shutdownNow();
      answer.complete(PAID);
      assertThat(first.join()).isEqualTo(FIRST);
    }
  }

  @Test
  void closedGuardRefusesNewRequestsAndRecordsWhatIsUnderWay() throws Exception {
    Guard guard = Guard.on(store).build();
    CompletableFuture<Ruling> async = guard.decideAsync(ASK, this::pay);
    awaitRun();
    Ask blockingAsk = new Ask(GuardedId.of(Key.text("blocking")), null, "charge");
    CompletableFuture<Void> began = new CompletableFuture<>();
    CompletableFuture<Reply> later = new CompletableFuture<>();
    ExecutorService caller = Executors.newSingleThreadExecutor();
    Future<Ruling> blocking =
        caller.submit(
            () ->
                guard.decide(
                    blockingAsk,
                    run -> {
                      began.complete(null);
                      return later.join();
                    }));
    began.join();

    guard.close();
    guard.close();
    assertThatThrownBy(() -> guard.decide(ASK, run -> PAID))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> guard.decideAsync(ASK, this::pay))
        .isInstanceOf(IllegalStateException.class);

    answer.complete(PAID);
    later.complete(PAID);
    assertThat(async.get()).isEqualTo(FIRST);
    assertThat(blocking.get()).isEqualTo(FIRST);
    caller.shutdown();
    assertThat(store.claim(ASK, new ClaimTerms(1, 1))).isEqualTo(new Claimed.Done(PAID));
    assertThat(store.claim(blockingAsk, new ClaimTerms(1, 1))).isEqualTo(new Claimed.Done(PAID));
  }

  @Test
  void requestsThatStillWaitForAThreadAreDecidedAfterTheClose() {
    CompletableFuture<Void> storeAnswers = new CompletableFuture<>();
    Guard guard = Guard.on(store).build();
    List<CompletableFuture<Ruling>> many = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      store.claims.add(Troubled.Trouble.answerAfter(storeAnswers::join));
      Ask ask = new Ask(GuardedId.of(Key.text("request " + i)), null, "charge");
      many.add(guard.decideAsync(ask, run -> CompletableFuture.completedFuture(PAID)));
    }
    guard.close();
    storeAnswers.complete(null);
    for (CompletableFuture<Ruling> each : many) {
      assertThat(each.join()).isEqualTo(FIRST);
    }
    assertThat(guard.workers.own.isShutdown()).isTrue();
  }

  @Test
  void threadsEndWithTheGuard() {
    Guard durable = Guard.on(store).build();
    Guard inMemory = Guard.inMemory().build();
    answer.complete(PAID);
    durable.decideAsync(ASK, this::pay).join();
    inMemory.decideAsync(ASK, this::pay).join();
    List<Thread> own = ownThreads();
    assertThat(own).extracting(Thread::getName).anyMatch(name -> name.contains("guard"));
    assertThat(own).extracting(Thread::getName).anyMatch(name -> name.contains("memory-store"));
    durable.close();
    inMemory.close();
    for (Thread thread : own) {
      while (thread.isAlive()) {
        Thread.onSpinWait();
      }
    }
  }

  private static List<Thread> ownThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("onceward-"))
        .toList();
  }
}
