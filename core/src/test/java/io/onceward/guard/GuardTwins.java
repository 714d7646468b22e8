package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies of one request at the same time, in one process and in two (G1, E4). */
@Timeout(60)
abstract class GuardTwins {
  private static final GuardedId ID = GuardedId.of("tenant", Key.text("order 4711"));
  private static final Ask ASK = new Ask(ID, new Fingerprint(1), "charge");
  private static final Ask OTHER = new Ask(ID, new Fingerprint(2), "charge");
  private static final Ask UNCHECKED = new Ask(ID, null, "charge");
  private static final Reply PAID = Reply.ok("paid");
  private static final Ruling FIRST = new Ruling.Replied(PAID, false);
  private static final Ruling REPLAY = new Ruling.Replied(PAID, true);

  private final MemoryStore memory = MemoryStore.builder().sweptByHand().build();
  private final ClaimStore.Durability durability;
  private final Troubled store;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  GuardTwins(ClaimStore.Durability durability) {
    this.durability = durability;
    store = new Troubled(memory, durability);
  }

  /** Whether copies spare the store, because asking it costs something. */
  private boolean apart() {
    return durability == ClaimStore.Durability.DURABLE;
  }

  @AfterEach
  void stop() {
    mayEnd.countDown();
    threads.shutdownNow();
  }

  private Reply pay(Run run) throws InterruptedException {
    runs.incrementAndGet();
    running.countDown();
    mayEnd.await();
    return PAID;
  }

  /** A copy that is running its effect until {@link #mayEnd}. */
  private Future<Ruling> first(Guard guard) throws InterruptedException {
    Future<Ruling> first = threads.submit(() -> guard.decide(ASK, this::pay));
    running.await();
    return first;
  }

  /** A thread that has come to wait. */
  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  @Test
  void ofManyCopiesOneRunsAndAllGetItsReply() throws Exception {
    try (Guard guard = Guard.on(store).build()) {
      Future<Ruling> first = first(guard);
      List<Thread> waiting = new ArrayList<>();
      List<CompletableFuture<Ruling>> twins = new ArrayList<>();
      for (int i = 0; i < 63; i++) {
        CompletableFuture<Ruling> twin = new CompletableFuture<>();
        Thread thread = new Thread(() -> twin.complete(guard.decide(ASK, this::pay)));
        thread.start();
        waiting.add(thread);
        twins.add(twin);
      }
      waiting.forEach(GuardTwins::awaitWaiting);
      if (apart()) {
        assertThat(store.claimed).as("waiting twins do not bother the store").hasValue(1);
      }
      mayEnd.countDown();
      assertThat(first.get()).isEqualTo(FIRST);
      for (CompletableFuture<Ruling> twin : twins) {
        assertThat(twin.get()).isEqualTo(REPLAY);
      }
      assertThat(runs).hasValue(1);
      assertThat(guard.setup.flights()).isEmpty();
    }
  }

  @Test
  void copyWithAnotherFingerprintWaitsAndIsRefused() throws Exception {
    try (Guard guard = Guard.on(store).build()) {
      Future<Ruling> first = first(guard);
      Future<Ruling> other = threads.submit(() -> guard.decide(OTHER, this::pay));
      Future<Ruling> unchecked = threads.submit(() -> guard.decide(UNCHECKED, this::pay));
      mayEnd.countDown();
      assertThat(first.get()).isEqualTo(FIRST);
      assertThat(other.get()).isEqualTo(new Ruling.Refused(Refusal.MISMATCH, ""));
      assertThat(unchecked.get()).isEqualTo(REPLAY);
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void copyWaitsOnlySoLong() throws Exception {
    try (Guard guard =
        Guard.on(store).waitAtMost(Duration.ofMillis(20)).pollEvery(Duration.ofMillis(7)).build()) {
      Future<Ruling> first = first(guard);
      Ruling inProgress = new Ruling.InProgress(Duration.ofMillis(7));
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(inProgress);
      // Memory tells at once that this will never be the same request.
      assertThat(guard.decide(OTHER, this::pay))
          .isEqualTo(apart() ? inProgress : new Ruling.Refused(Refusal.MISMATCH, ""));
      mayEnd.countDown();
      assertThat(first.get()).isEqualTo(FIRST);
    }
  }

  @Test
  void copyThatMayNotWaitIsToldAtOnce() throws Exception {
    try (Guard guard = Guard.on(store).waitAtMost(Duration.ZERO).build()) {
      Future<Ruling> first = first(guard);
      assertThat(guard.decide(ASK, this::pay)).isInstanceOf(Ruling.InProgress.class);
      mayEnd.countDown();
      assertThat(first.get()).isEqualTo(FIRST);
    }
  }

  @Test
  void effectThatAsksForItsOwnIdIsToldThatItRuns() {
    try (Guard guard = Guard.on(store).waitAtMost(Duration.ofMillis(5)).build()) {
      Ruling[] inner = new Ruling[1];
      Effect nested =
          run -> {
            inner[0] = guard.decide(ASK, this::pay);
            return PAID;
          };
      assertThat(guard.decide(ASK, nested)).isEqualTo(FIRST);
      assertThat(inner[0]).isInstanceOf(Ruling.InProgress.class);
    }
  }

  @Test
  void twinsOfARunThatDidNotHappenAreToldSo() throws Exception {
    IOException refused = new IOException("refused");
    try (Guard guard = Guard.on(store).classify(any -> Meaning.DID_NOT_HAPPEN).build()) {
      Effect failing =
          run -> {
            pay(run);
            throw refused;
          };
      Future<Ruling> first = threads.submit(() -> guard.decide(ASK, failing));
      running.await();
      Twin twin = new Twin(guard);
      mayEnd.countDown();
      assertThat(first.get()).isEqualTo(new Ruling.DidNotHappen(refused));
      assertThat(twin.ruling.get()).isEqualTo(new Ruling.DidNotHappen(refused));
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void twinsOfAnErrorAreToldThatNobodyKnows() throws Exception {
    try (Guard guard = Guard.on(store).build()) {
      Effect failing =
          run -> {
            pay(run);
            throw new AssertionError("broken");
          };
      Future<Ruling> first = threads.submit(() -> guard.decide(ASK, failing));
      running.await();
      Twin twin = new Twin(guard);
      mayEnd.countDown();
      assertThat(first).failsWithin(Duration.ofSeconds(30));
      assertThat(twin.ruling.get())
          .isEqualTo(new Ruling.Unknown("java.lang.AssertionError: broken", null));
      assertThat(runs).hasValue(1);
    }
  }

  private final class Twin {
    final CompletableFuture<Ruling> ruling = new CompletableFuture<>();
    final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    final Thread thread;

    Twin(Guard guard) {
      thread =
          new Thread(
              () -> {
                ruling.complete(guard.decide(ASK, GuardTwins.this::pay));
                interrupted.complete(Thread.currentThread().isInterrupted());
              });
      thread.start();
      awaitWaiting(thread);
    }
  }

  @Test
  void interruptedTwinStopsWaitingAndStaysInterrupted() throws Exception {
    try (Guard guard = Guard.on(store).build()) {
      Future<Ruling> first = first(guard);
      Twin twin = new Twin(guard);
      twin.thread.interrupt();
      assertThat(twin.ruling.get()).isInstanceOf(Ruling.InProgress.class);
      assertThat(twin.interrupted.get()).isTrue();
      mayEnd.countDown();
      assertThat(first.get()).isEqualTo(FIRST);
      assertThat(guard.setup.flights()).isEmpty();
    }
  }

  @Test
  void copyInAnotherProcessPollsAndGetsTheReply() throws Exception {
    try (Guard p1 = Guard.on(store).build();
        Guard p2 = Guard.on(store).pollEvery(Duration.ofMillis(2)).build()) {
      Future<Ruling> first = first(p1);
      Twin twin = new Twin(p2);
      while (store.claimed.get() < 5) {
        Thread.onSpinWait();
      }
      mayEnd.countDown();
      assertThat(first.get()).isEqualTo(FIRST);
      assertThat(twin.ruling.get()).isEqualTo(REPLAY);
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void copyInAnotherProcessWaitsOnlySoLong() throws Exception {
    Duration poll = Duration.ofMillis(5);
    try (Guard p1 = Guard.on(store).build();
        Guard p2 = Guard.on(store).pollEvery(poll).waitAtMost(poll.multipliedBy(4)).build()) {
      Future<Ruling> first = first(p1);
      assertThat(p2.decide(ASK, this::pay)).isEqualTo(new Ruling.InProgress(poll));
      assertThat(p2.setup.flights()).isEmpty();
      if (apart()) {
        assertThat(store.claimed.get()).as("constant delay").isBetween(2, 7);
      }
      mayEnd.countDown();
      assertThat(first.get()).isEqualTo(FIRST);
    }
  }

  @Test
  void interruptedPollStopsWaitingAndStaysInterrupted() throws Exception {
    try (Guard p1 = Guard.on(store).build();
        Guard p2 = Guard.on(store).build()) {
      Future<Ruling> first = first(p1);
      Twin twin = new Twin(p2);
      twin.thread.interrupt();
      assertThat(twin.ruling.get()).isInstanceOf(Ruling.InProgress.class);
      assertThat(twin.interrupted.get()).isTrue();
      mayEnd.countDown();
      assertThat(first.get()).isEqualTo(FIRST);
    }
  }

  /** The first caller of a coalesced wait gave up; the next one takes its place. */
  @Test
  void twinOfAPollThatGaveUpGoesOnPolling() throws Exception {
    try (Guard p1 = Guard.on(store).build();
        Guard p2 = Guard.on(store).pollEvery(Duration.ofMillis(2)).build()) {
      Future<Ruling> first = first(p1);
      Twin leads = new Twin(p2);
      Twin follows = new Twin(p2);
      leads.thread.interrupt();
      assertThat(leads.ruling.get()).isInstanceOf(Ruling.InProgress.class);
      mayEnd.countDown();
      assertThat(first.get()).isEqualTo(FIRST);
      assertThat(follows.ruling.get()).isEqualTo(REPLAY);
    }
  }

  @Test
  void interruptedEffectLeavesTheRequestUnknownAndTheThreadInterrupted() throws Exception {
    try (Guard guard = Guard.on(store).build()) {
      Twin runner = new Twin(guard);
      running.await();
      runner.thread.interrupt();
      Ruling ruling = runner.ruling.get();
      assertThat(ruling).isInstanceOf(Ruling.Unknown.class);
      assertThat(((Ruling.Unknown) ruling).cause()).isInstanceOf(InterruptedException.class);
      assertThat(runner.interrupted.get()).isTrue();
    }
  }

  /** A caller that goes away must not cost the record. */
  @Test
  void interruptedThreadRecordsWhatItRan() throws Exception {
    store.completions.add(Troubled.Trouble.away());
    try (Guard guard = Guard.on(store).pollEvery(Duration.ofMillis(3)).build()) {
      Future<Boolean> stillInterrupted =
          threads.submit(
              () -> {
                Ruling ruling =
                    guard.decide(
                        ASK,
                        run -> {
                          Thread.currentThread().interrupt();
                          return PAID;
                        });
                assertThat(ruling).isEqualTo(FIRST);
                return Thread.currentThread().isInterrupted();
              });
      assertThat(stillInterrupted.get()).isTrue();
      assertThat(store.completed).hasValue(2);
      assertThat(store.interrupted).as("the store never sees the flag").hasValue(0);
      assertThat(guard.decide(ASK, this::pay)).isEqualTo(REPLAY);
    }
  }
}
