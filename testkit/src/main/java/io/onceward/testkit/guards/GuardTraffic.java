package io.onceward.testkit.guards;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Effect;
import io.onceward.guard.Finding;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Meaning;
import io.onceward.guard.Ruling;
import io.onceward.guard.Run;
import io.onceward.guard.StoreUnavailableException;
import io.onceward.guard.UnknownRequest;
import io.onceward.testkit.world.Dice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * One seed of concurrent traffic through the guards of two processes on one store: threads that
 * send copies of a few requests to either, effects that succeed, are refused, fail before or after
 * they happened, or outlive their lease, operators, sweeps, abandonments and acknowledgements. Then
 * everything that is unknown is resolved truthfully, and the auditor looks at what is left.
 */
public final class GuardTraffic {
  private static final int THREADS = 4;
  private static final int PLANS = 11;

  /** What most effects do: they happen and answer. */
  private static final int PLAIN = PLANS - 1;

  private static final long LEASE_MILLIS = 1_000;
  private static final long SHORT_MILLIS = 2_000;

  /** More than any pool has connections that died before the store was healed. */
  private static final int MOST_ATTEMPTS = 100;

  private static final Duration LONG = Duration.ofDays(1000);
  private static final String THREAD = "traffic-";

  /** What is unknown here, the guard itself looks into. */
  private static final Scope PROBED = new Scope("b");

  private static final Fingerprint TRUE = new Fingerprint(1);
  private static final Fingerprint OTHER = new Fingerprint(2);

  /** The store's own time, which the traffic lets pass. */
  @FunctionalInterface
  public interface Time {
    void pass(Duration atLeast) throws Exception;
  }

  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }

  private static final class NotSent extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** A listener throws it each time, which must make no difference. */
  private static final class DeafException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DeafException() {
      super("a listener failed", null, false, false);
    }
  }

  /**
   * One process.
   *
   * @param probing looks itself into what is unknown
   */
  private record Application(Guard undated, Guard dated, Guard probing) {
    Guard of(GuardedId id) {
      if (id.key().isDated()) {
        return dated;
      }
      return id.scope().equals(PROBED) ? probing : undated;
    }
  }

  private final long seed;
  private final Time time;
  private final ClaimStore store;
  private final boolean troubled;
  private final List<Application> processes;
  private final EffectAuditor auditor = new EffectAuditor();
  private final AtomicInteger runs = new AtomicInteger();
  private final List<GuardedId> ids = new ArrayList<>();
  private volatile boolean swept;
  private Door door = Guard::decide;

  /**
   * Traffic on an empty store.
   *
   * @param troubled whether the store may be away now and then
   */
  public GuardTraffic(long seed, ClaimStore store, Time time, boolean troubled) {
    this.seed = seed;
    this.store = store;
    this.time = time;
    this.troubled = troubled;
    processes = List.of(application(), application());
    long now = System.currentTimeMillis() * 1000;
    for (int i = 0; i < 3; i++) {
      ids.add(new GuardedId("alice", new Scope("a"), Key.text("order " + i)));
      ids.add(new GuardedId("bob", new Scope("a"), Key.text("order " + i)));
      ids.add(new GuardedId("alice", PROBED, Key.text("order " + i)));
      ids.add(new GuardedId("alice", new Scope("a"), Key.dated(now - i * 1_000_000L, i)));
      ids.add(new GuardedId("bob", new Scope("a"), Key.dated(now - i * 700_000L, i)));
    }
  }

  /** How copies come to a guard. */
  @FunctionalInterface
  public interface Door {
    Ruling decide(Guard guard, Ask ask, Effect effect);
  }

  /** The same traffic through another door. */
  public GuardTraffic through(Door door) {
    this.door = door;
    return this;
  }

  private Application application() {
    return new Application(
        guard(LONG).build(),
        guard(Duration.ofMillis(SHORT_MILLIS)).build(),
        guard(LONG).probe(this::look).build());
  }

  private Guard.Builder guard(Duration retention) {
    return Guard.on(store)
        .lease(Duration.ofMillis(LEASE_MILLIS))
        .retention(retention)
        .waitAtMost(Duration.ofMillis(5))
        .pollEvery(Duration.ofMillis(1))
        .classify(
            e ->
                e instanceof Refused
                    ? Meaning.BUSINESS_ERROR
                    : e instanceof NotSent ? Meaning.DID_NOT_HAPPEN : Meaning.UNKNOWN)
        .businessReply(e -> Bytes.utf8(String.valueOf(e.getMessage())))
        .listener(
            (ask, ruling, nanos) -> {
              if (Thread.currentThread().getName().startsWith(THREAD)) {
                throw new DeafException();
              }
            });
  }

  /**
   * Runs it to its end.
   *
   * @return what does not fit, or nothing
   */
  public List<String> violations(int stepsPerThread) throws Exception {
    return violationsOf(stepsPerThread, () -> {});
  }

  /** Ends what troubles the store. */
  @FunctionalInterface
  public interface Healing {
    void heal() throws Exception;
  }

  /** The same; the store is healed before what is unknown is resolved. */
  public List<String> violationsOf(int stepsPerThread, Healing healing) throws Exception {
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    CountDownLatch start = new CountDownLatch(1);
    for (int i = 0; i < THREADS; i++) {
      Dice dice = new Dice(seed * THREADS + i);
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  for (int step = 0; step < stepsPerThread; step++) {
                    step(dice);
                  }
                } catch (Throwable e) {
                  synchronized (failures) {
                    failures.add(e);
                  }
                }
              },
              THREAD + i);
      // The guard reports here what its listener throws.
      thread.setUncaughtExceptionHandler((at, heard) -> {});
      threads.add(thread);
      thread.start();
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    List<String> all = new ArrayList<>();
    failures.forEach(failure -> all.add("a thread failed: " + failure));
    healing.heal();
    settle();
    all.addAll(auditor.violations());
    return all;
  }

  private void step(Dice dice) throws Exception {
    GuardedId id = dice.pick(ids);
    try {
      switch (dice.below(17)) {
        case 0 -> abandon(id);
        case 1 -> acknowledge(id, dice);
        case 2, 3 -> operate(10);
        case 4 -> {
          pass(dice.between(1, (int) SHORT_MILLIS));
          swept = true;
          store.sweep(dice.between(1, 5));
        }
        case 5 -> lateWordOfAnOldRun(id, dice.below(3));
        case 6 ->
            copy(dice.below(processes.size()), id, auditor.wasTold(id), dice.below(3 * PLANS / 2));
        default -> copy(dice.below(processes.size()), id, false, dice.below(3 * PLANS / 2));
      }
    } catch (StoreUnavailableException e) {
      if (!troubled) {
        throw e;
      }
      auditor.isBeingClosed(id);
    }
  }

  /** One that operators and administrators use. */
  private Guard guardOf(GuardedId id) {
    return processes.get(0).of(id);
  }

  /**
   * A copy comes.
   *
   * @param process to which of them
   * @param plan what its effect does if it runs; from {@link #PLANS} on, without holding the thread
   */
  private void copy(int process, GuardedId id, boolean otherPayload, int plan) {
    Ask ask = new Ask(id, otherPayload ? OTHER : TRUE, "charge");
    AtomicBoolean happened = new AtomicBoolean();
    int findings = auditor.findings(id);
    auditor.enters(id);
    try {
      Guard guard = processes.get(process).of(id);
      int elsewhere = (process + 1) % processes.size();
      Effect effect = run -> effect(run, plan % PLANS, happened, elsewhere);
      Ruling ruling =
          plan < PLANS
              ? door.decide(guard, ask, effect)
              : guard
                  .decideAsync(ask, run -> CompletableFuture.completedFuture(effect.run(run)))
                  .join();
      auditor.told(id, ruling, findings, otherPayload, swept, troubled);
      if (ruling instanceof Ruling.DidNotHappen && happened.get()) {
        auditor.denied(id);
      }
    } finally {
      auditor.leaves(id);
    }
  }

  private Reply effect(Run run, int plan, AtomicBoolean happened, int elsewhere) throws Exception {
    GuardedId id = run.id();
    String name = "run " + runs.incrementAndGet() + " fence " + run.fence();
    auditor.began(id, run.fence());
    try {
      switch (plan) {
        case 0 -> {
          auditor.refusesItself(id, Reply.businessError(name));
          throw new Refused(name);
        }
        case 1 -> throw new NotSent();
        case 2 -> {
          auditor.isInDoubt(id);
          throw new IllegalStateException("before it happened");
        }
        case 3 -> {
          auditor.isInDoubt(id);
          happens(id, name, happened);
          throw new IllegalStateException("after it happened");
        }
        case 4 -> {
          pass(LEASE_MILLIS);
          happens(id, name, happened);
          return Reply.ok(name);
        }
        case 5 -> {
          // Somebody gives up while it runs.
          abandon(id);
          happens(id, name, happened);
          return Reply.ok(name);
        }
        case 6 -> {
          // Another copy comes while it runs, to the other process.
          copy(elsewhere, id, false, PLAIN);
          happens(id, name, happened);
          return Reply.ok(name);
        }
        case 7 -> {
          lateWordOfAnOldRun(id, runs.get() % 3);
          happens(id, name, happened);
          return Reply.ok(name);
        }
        default -> {
          happens(id, name, happened);
          return Reply.ok(name);
        }
      }
    } finally {
      auditor.ended(id);
    }
  }

  private void happens(GuardedId id, String name, AtomicBoolean happened) {
    happened.set(true);
    auditor.happened(id, Reply.ok(name));
  }

  private void pass(long millis) throws Exception {
    auditor.leasesMayEnd();
    try {
      time.pass(Duration.ofMillis(millis));
    } finally {
      auditor.timeHasPassed();
    }
  }

  private void abandon(GuardedId id) {
    auditor.isBeingClosed(id);
    if (guardOf(id).abandon(id) instanceof GuardedAbandonment.Closed) {
      auditor.closed(id);
    }
  }

  private void acknowledge(GuardedId id, Dice dice) {
    if (auditor.wasTold(id) && dice.perMille(500)) {
      auditor.acknowledged(id);
      guardOf(id).acknowledge(id);
    }
  }

  /** Looks at the queue and says what is true. */
  private void operate(int atMost) {
    for (UnknownRequest request : store.unknowns(atMost)) {
      GuardedId id = known(request.id());
      if (auditor.isInside(id)) {
        continue;
      }
      Reply effect = auditor.effect(id);
      Finding finding =
          effect == null ? new Finding.CanNoLongerHappen() : new Finding.Happened(effect);
      auditor.isBeingResolved(id);
      guardOf(id).resolve(id, request.fence(), finding);
      auditor.findingArrived(id);
    }
  }

  /** What a probe finds out: the truth, if no other copy may still be running. */
  private Finding look(UnknownRequest request) {
    GuardedId id = known(request.id());
    if (!auditor.isAloneInside(id)) {
      return new Finding.CannotTell();
    }
    auditor.wasLookedInto(id);
    Reply effect = auditor.effect(id);
    return effect == null ? new Finding.CanNoLongerHappen() : new Finding.Happened(effect);
  }

  /** A run that was given up long ago reports, after another has begun. Nobody believes it. */
  private void lateWordOfAnOldRun(GuardedId id, int kind) {
    long old = auditor.fence(id) - 1;
    if (old < 1) {
      return;
    }
    boolean taken =
        switch (kind) {
          case 0 -> store.release(id, old);
          case 1 -> store.unknown(id, old, "an old run");
          default -> store.done(id, old, Reply.ok("late word of fence " + old));
        };
    if (taken) {
      auditor.oldFenceWasTaken(id);
    }
  }

  /** A store need not keep the text of a key. */
  private GuardedId known(GuardedId id) {
    return ids.stream().filter(each -> each.equals(id)).findFirst().orElse(id);
  }

  private void settle() throws Exception {
    pass(LEASE_MILLIS);
    for (GuardedId id : ids) {
      if (answered(() -> store.outcome(id)) instanceof GuardedOutcome.Running) {
        throw new AssertionError("its lease is over, and it is running: " + id);
      }
    }
    answered(
        () -> {
          operate(Integer.MAX_VALUE);
          return true;
        });
    for (GuardedId id : ids) {
      auditor.stands(id, answered(() -> store.outcome(id)), swept);
    }
    pass(2 * SHORT_MILLIS);
    answered(() -> store.sweep(Integer.MAX_VALUE));
    for (GuardedId id : ids) {
      if (id.key().isDated()
          && answered(() -> store.outcome(id)) instanceof GuardedOutcome.Executed) {
        auditor.outlivedItsRetention(id);
      }
    }
  }

  /**
   * As whoever uses a store has to: a question that was not answered is asked again. Connections
   * that died before the store was healed are still in its pool, and each of them fails once.
   */
  private <T> T answered(Supplier<T> question) {
    for (int attempt = 1; ; attempt++) {
      try {
        return question.get();
      } catch (StoreUnavailableException e) {
        if (!troubled || attempt == MOST_ATTEMPTS) {
          throw e;
        }
      }
    }
  }
}
