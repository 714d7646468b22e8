package io.onceward.testkit.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.Claimed;
import io.onceward.guard.GuardedId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Steps that meet: each is one atomic step, so some order of them explains what came out. */
abstract class ClaimStoreRaces extends ClaimStoreTimes {
  private static final int THREADS = 8;

  /** How often each race is run. More finds more, and takes longer. */
  protected int rounds() {
    return 25;
  }

  @Test
  public void ofManyClaimsExactlyOneStarts() throws Exception {
    for (int round = 0; round < rounds(); round++) {
      Ask ask = ask("race " + round);
      List<Claimed> answers = atOnce(sameForAll(() -> store().claim(ask, lasting())));
      assertEquals(1, count(answers, new Claimed.Started(1)), answers.toString());
      for (Claimed each : answers) {
        assertTrue(
            each instanceof Claimed.Started || each instanceof Claimed.Running, each.toString());
      }
    }
  }

  @Test
  public void ofManyRerunsExactlyOneStarts() throws Exception {
    for (int round = 0; round < rounds(); round++) {
      Ask ask = ask("race " + round);
      started(ask, lasting());
      store().unknown(ask.id(), 1, "why");
      List<Claimed> answers = atOnce(sameForAll(() -> store().rerun(ask, 1, lasting())));
      assertEquals(1, count(answers, new Claimed.Started(2)), answers.toString());
    }
  }

  @Test
  public void ofManyClaimsOfAReleasedRequestExactlyOneStarts() throws Exception {
    for (int round = 0; round < rounds(); round++) {
      Ask ask = ask("race " + round);
      started(ask, lasting());
      store().release(ask.id(), 1);
      List<Claimed> answers = atOnce(sameForAll(() -> store().claim(ask, lasting())));
      assertEquals(1, count(answers, new Claimed.Started(2)), answers.toString());
    }
  }

  @Test
  public void ofDifferentCompletionsExactlyOneIsTakenAndTheOthersAreEvidence() throws Exception {
    for (int round = 0; round < rounds(); round++) {
      Ask ask = ask("race " + round);
      started(ask, lasting());
      List<Callable<Boolean>> completions = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Reply reply = Reply.ok("from " + i);
        completions.add(() -> store().done(ask.id(), 1, reply));
      }
      List<Boolean> taken = atOnce(completions);
      assertEquals(1, count(taken, true), taken.toString());
      assertDone(Reply.ok("from " + taken.indexOf(true)), store().claim(ask, lasting()));
      List<String> evidence = evidence(ask.id());
      assertEquals(THREADS - 1, evidence.size(), evidence.toString());
      assertFalse(evidence.contains("1 from " + taken.indexOf(true)), evidence.toString());
    }
  }

  /** Of completion, release and re-run of one unknown run, the winner is the only one. */
  @Test
  public void completionReleaseAndRerunOfOneRunExcludeEachOther() throws Exception {
    Reply late = Reply.ok("late");
    for (int round = 0; round < rounds(); round++) {
      Ask ask = ask("race " + round);
      started(ask, lasting());
      store().unknown(ask.id(), 1, "why");
      List<Object> answers =
          atOnce(
              List.<Callable<Object>>of(
                  () -> store().done(ask.id(), 1, late),
                  () -> store().rerun(ask, 1, lasting()),
                  () -> store().rerun(ask, 1, lasting()),
                  () -> store().release(ask.id(), 1)));
      boolean done = answers.get(0).equals(true);
      boolean released = answers.get(3).equals(true);
      int restarted = count(answers, new Claimed.Started(2));
      String told = answers.toString();
      assertTrue(restarted <= 1, told);
      assertFalse(done && (released || restarted > 0), told);
      assertEquals(done ? List.of() : List.of("1 late"), evidence(ask.id()), told);
      Claimed now = store().claim(ask, lasting());
      if (done) {
        assertDone(late, now);
      } else if (restarted == 1) {
        assertRunning(now);
      } else {
        assertTrue(released, told);
        assertStarted(2, now);
      }
    }
  }

  /** A lease that ends while its run completes: done either way, and never two current fences. */
  @Test
  public void completionAndTheEndOfTheLeaseExcludeARerun() throws Exception {
    for (int round = 0; round < rounds(); round++) {
      Ask ask = ask("race " + round);
      startedAndLapsed(ask);
      List<Object> answers =
          atOnce(
              List.<Callable<Object>>of(
                  () -> store().done(ask.id(), 1, Reply.ok("true")),
                  () -> {
                    Claimed claimed = store().claim(ask, lasting());
                    return claimed instanceof Claimed.Unknown unknown
                        ? store().rerun(ask, unknown.request().fence(), lasting())
                        : claimed;
                  }));
      boolean done = answers.get(0).equals(true);
      assertEquals(done ? 0 : 1, count(answers, new Claimed.Started(2)), answers.toString());
      assertEquals(done ? List.of() : List.of("1 true"), evidence(ask.id()));
    }
  }

  /**
   * K5: the sweep drops a record between a claim's look and its insert; the claim must not start.
   */
  @Test
  public void aDatedKeyThatIsBeingDroppedNeverStartsAgain() throws Exception {
    for (int round = 0; round < rounds(); round++) {
      // Each later than those before, or the horizon would refuse it.
      GuardedId id = dated(Duration.ofHours(2).minusSeconds(round), round);
      Ask ask = ask(id, null);
      started(ask, soonDropped());
      store().done(id, 1, Reply.ok("first"));
      passShortWhile();
      List<Callable<Object>> steps = new ArrayList<>();
      steps.add(() -> store().sweep(10));
      for (int i = 1; i < THREADS; i++) {
        steps.add(() -> store().claim(ask, lasting()));
      }
      List<Object> answers = atOnce(steps);
      for (Object each : answers.subList(1, THREADS)) {
        boolean replayed = each.equals(new Claimed.Done(Reply.ok("first")));
        boolean forgotten =
            each instanceof Claimed.Refused refused && refused.refusal() == Refusal.FORGOTTEN;
        assertTrue(replayed || forgotten, answers.toString());
      }
      assertRefused(Refusal.FORGOTTEN, store().claim(ask, lasting()));
    }
  }

  /**
   * The sweep may come between any two looks of a claim, and a run before it may still be about.
   */
  @Test
  public void anUndatedKeyThatIsBeingDroppedStartsBehindEveryEarlierRun() throws Exception {
    for (int round = 0; round < rounds(); round++) {
      Ask ask = ask("race " + round);
      long first = started(ask, soonDropped());
      store().unknown(ask.id(), first, "why");
      long second = assertStarted(store().rerun(ask, first, soonDropped()));
      assertTrue(store().done(ask.id(), second, Reply.ok("first")));
      passShortWhile();
      List<Callable<Object>> steps = new ArrayList<>();
      steps.add(() -> store().sweep(10));
      for (int i = 1; i < THREADS; i++) {
        steps.add(() -> store().claim(ask, lasting()));
      }
      List<Object> answers = atOnce(steps);
      for (Object each : answers.subList(1, THREADS)) {
        assertTrue(
            each.equals(new Claimed.Done(Reply.ok("first")))
                || each instanceof Claimed.Running
                || each instanceof Claimed.Started started && started.fence() > second + 1,
            answers.toString());
      }
      Claimed now = store().claim(ask, lasting());
      assertTrue(
          now instanceof Claimed.Running
              || now instanceof Claimed.Started started && started.fence() > second + 1,
          now.toString());
    }
  }

  @Test
  public void sweepsAtTheSameTimeDropEachRecordOnce() throws Exception {
    int records = 4 * THREADS;
    for (int i = 0; i < records; i++) {
      started(ask("not due " + i), lasting());
      store().done(id("not due " + i), 1, Reply.ok("x"));
    }
    for (int round = 0; round < 1 + rounds() / 5; round++) {
      for (int i = 0; i < records; i++) {
        long fence = started(ask("due " + i), soonDropped());
        store().done(id("due " + i), fence, Reply.ok("x"));
      }
      passShortWhile();
      int dropped = 0;
      for (int swept : atOnce(sameForAll(() -> store().sweep(records)))) {
        dropped += swept;
      }
      assertEquals(records, dropped + store().sweep(records));
    }
    for (int i = 0; i < records; i++) {
      assertDone(Reply.ok("x"), store().claim(ask("not due " + i), lasting()));
    }
  }

  private static <T> List<Callable<T>> sameForAll(Callable<T> task) {
    List<Callable<T>> tasks = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      tasks.add(task);
    }
    return tasks;
  }

  private static int count(List<?> answers, Object wanted) {
    int count = 0;
    for (Object each : answers) {
      if (each.equals(wanted)) {
        count++;
      }
    }
    return count;
  }
}
