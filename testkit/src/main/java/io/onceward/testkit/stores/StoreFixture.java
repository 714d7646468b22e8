package io.onceward.testkit.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.Claimed;
import io.onceward.guard.Evidence;
import io.onceward.guard.GuardedId;
import io.onceward.guard.UnknownRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A store under test and the words to speak about it. Nothing here depends on how long a call
 * takes: a lease is either so long that it does not end, or time is let pass until it has.
 */
public abstract class StoreFixture {
  private static final Duration LONG = Duration.ofHours(1);
  private static final long PATIENCE_SECONDS = 60;

  private @Nullable ClaimStore open;

  /** An empty store that nobody sweeps but the test. Closed after each test. */
  protected abstract ClaimStore freshStore() throws Exception;

  /** Returns when at least so much of the store's own time has passed. */
  protected abstract void passTime(Duration atLeast) throws Exception;

  /** A lease or a retention that is to end. Short, because stores with a real clock wait for it. */
  protected Duration shortWhile() {
    return Duration.ofMillis(40);
  }

  /** Opens the store. */
  @BeforeEach
  public void openStore() throws Exception {
    open = freshStore();
  }

  /** Closes it. */
  @AfterEach
  public void closeStore() {
    if (open != null) {
      open.close();
      open = null;
    }
  }

  final ClaimStore store() {
    if (open == null) {
      throw new IllegalStateException("the store is not open");
    }
    return open;
  }

  /** Replaces the store with another empty one. */
  final void startOver() throws Exception {
    closeStore();
    openStore();
  }

  final ClaimTerms lasting() {
    return new ClaimTerms(LONG.toMillis(), LONG.toMillis());
  }

  final ClaimTerms soonUnknown() {
    return new ClaimTerms(shortWhile().toMillis(), LONG.toMillis());
  }

  final ClaimTerms soonDropped() {
    return new ClaimTerms(LONG.toMillis(), shortWhile().toMillis());
  }

  final ClaimTerms soonBoth() {
    return new ClaimTerms(shortWhile().toMillis(), shortWhile().toMillis());
  }

  /** Enough for every short lease and retention to end. */
  final void passShortWhile() throws Exception {
    passTime(shortWhile().plusMillis(10));
  }

  /** Enough for the store's clock to show another time than before. */
  final void passMoment() throws Exception {
    passTime(Duration.ofMillis(2));
  }

  static GuardedId id(String name) {
    return GuardedId.of("tests", Key.text(name));
  }

  static Ask ask(String name) {
    return ask(id(name), new Fingerprint(1));
  }

  static Ask ask(GuardedId id, @Nullable Fingerprint fingerprint) {
    return new Ask(id, fingerprint, "charge", "memo of " + id.key());
  }

  /** A key of so long ago. */
  static GuardedId dated(Duration ago, long random) {
    long micros = (System.currentTimeMillis() - ago.toMillis()) * 1000;
    return GuardedId.of("tests", Key.dated(micros, random));
  }

  final long started(Ask ask, ClaimTerms terms) {
    return assertStarted(store().claim(ask, terms));
  }

  /** Claims and lets the lease end. */
  final long startedAndLapsed(Ask ask) throws Exception {
    long fence = started(ask, soonUnknown());
    passShortWhile();
    return fence;
  }

  static long assertStarted(Claimed claimed) {
    return assertInstanceOf(Claimed.Started.class, claimed).fence();
  }

  static void assertStarted(long fence, Claimed claimed) {
    assertEquals(new Claimed.Started(fence), claimed);
  }

  static void assertRunning(Claimed claimed) {
    assertInstanceOf(Claimed.Running.class, claimed);
  }

  static void assertDone(Reply reply, Claimed claimed) {
    assertEquals(new Claimed.Done(reply), claimed);
  }

  static void assertRefused(Refusal refusal, Claimed claimed) {
    assertEquals(refusal, assertInstanceOf(Claimed.Refused.class, claimed).refusal());
  }

  static UnknownRequest assertUnknown(long fence, Claimed claimed) {
    UnknownRequest request = assertInstanceOf(Claimed.Unknown.class, claimed).request();
    assertEquals(fence, request.fence());
    return request;
  }

  /** The refused completions, as "fence reply". */
  final List<String> evidence(GuardedId id) {
    List<String> late = new ArrayList<>();
    for (Evidence each : store().evidence(id)) {
      assertEquals(id, each.id());
      late.add(each.fence() + " " + each.reply().bytes().asText());
    }
    return late;
  }

  final List<GuardedId> unknownIds(int atMost) {
    List<GuardedId> ids = new ArrayList<>();
    for (UnknownRequest each : store().unknowns(atMost)) {
      ids.add(each.id());
    }
    return ids;
  }

  /** Does all of it at the same moment, and answers in the order given. */
  static <T> List<T> atOnce(List<? extends Callable<T>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      CyclicBarrier start = new CyclicBarrier(tasks.size());
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> task : tasks) {
        futures.add(
            threads.submit(
                () -> {
                  start.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                  return task.call();
                }));
      }
      List<T> answers = new ArrayList<>();
      for (Future<T> future : futures) {
        answers.add(future.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
      }
      return answers;
    } finally {
      threads.shutdownNow();
    }
  }
}
