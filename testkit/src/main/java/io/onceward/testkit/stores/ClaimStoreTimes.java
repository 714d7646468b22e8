package io.onceward.testkit.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.ClaimTerms;
import io.onceward.guard.GuardedId;
import io.onceward.guard.UnknownRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What {@link ClaimStore} says about order and age: the queue, retention, and dated keys. */
abstract class ClaimStoreTimes extends ClaimStoreRules {
  private static final Reply PAID = Reply.ok("paid");
  private static final Reply DECLINED = Reply.businessError("declined");

  @Test
  public void theQueueShowsWhatWasStartedFirstInFront() throws Exception {
    for (String name : List.of("a", "b", "c", "d")) {
      started(ask(name), name.equals("c") ? lasting() : soonUnknown());
      passMoment();
    }
    passShortWhile();
    // Claims and doubts come in another order; the lease of c still runs.
    store().claim(ask("d"), lasting());
    assertTrue(store().unknown(id("b"), 1, "why"));
    assertEquals(List.of(id("a"), id("b"), id("d")), unknownIds(10));
    assertEquals(List.of(id("a"), id("b")), unknownIds(2));
    assertEquals(List.of(), unknownIds(0));
  }

  @Test
  public void aRerunKeepsItsPlaceAndTheTimeOfTheFirstStart() throws Exception {
    long first = started(ask("a"), soonUnknown());
    passMoment();
    started(ask("b"), soonUnknown());
    passShortWhile();
    Instant started = store().unknowns(1).get(0).started();
    assertStarted(store().rerun(ask("a"), first, soonUnknown()));
    assertEquals(List.of(id("b")), unknownIds(10));
    passShortWhile();
    assertEquals(List.of(id("a"), id("b")), unknownIds(10));

    UnknownRequest again = store().unknowns(1).get(0);
    assertEquals(2, again.fence());
    long apart = Math.abs(Duration.between(started, again.started()).toMillis());
    assertTrue(apart <= 2, "a re-run moved the start by " + apart + " ms");
    assertTrue(again.startedMillisAgo() >= 2 * shortWhile().toMillis(), again.toString());
  }

  @Test
  public void aRunAfterAReleaseCountsFromItsOwnStart() throws Exception {
    long first = started(ask("a"), lasting());
    passMoment();
    started(ask("b"), soonUnknown());
    passMoment();
    assertTrue(store().release(id("a"), first));
    started(ask("a"), soonUnknown());
    passShortWhile();
    assertEquals(List.of(id("b"), id("a")), unknownIds(10));
  }

  @Test
  public void recordsAreDroppedAfterTheirRetentionOldestFirst() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      started(ask(name), soonDropped());
    }
    started(ask("kept"), lasting());
    store().done(id("kept"), 1, PAID);
    for (String name : List.of("c", "a", "b")) {
      passMoment();
      assertTrue(store().done(id(name), 1, PAID));
    }
    passShortWhile();
    assertEquals(2, store().sweep(2));
    assertDone(PAID, store().claim(ask("b"), lasting()));
    assertEquals(1, store().sweep(10));
    assertEquals(0, store().sweep(10));
    for (String name : List.of("a", "b", "c")) {
      assertStarted(store().claim(ask(name), lasting()));
    }
    assertDone(PAID, store().claim(ask("kept"), lasting()));
  }

  @Test
  public void aRecordPastItsRetentionStillCountsUntilItIsSwept() throws Exception {
    started(ask("a"), soonDropped());
    store().done(id("a"), 1, PAID);
    passShortWhile();
    assertDone(PAID, store().claim(ask("a"), lasting()));
  }

  @Test
  public void retentionIsCountedFromTheDecision() throws Exception {
    ClaimTerms terms = new ClaimTerms(lasting().leaseMillis(), 1_000);
    started(ask("a"), terms);
    passTime(Duration.ofMillis(1_100));
    store().done(id("a"), 1, PAID);
    assertEquals(0, store().sweep(10));
    assertDone(PAID, store().claim(ask("a"), lasting()));
  }

  @Test
  public void whatIsNotDecidedIsNeverDropped() throws Exception {
    started(ask("lapsed"), soonBoth());
    started(ask("running"), soonDropped());
    started(ask("doubted"), soonDropped());
    store().unknown(id("doubted"), 1, "why");
    passShortWhile();
    assertEquals(0, store().sweep(10));
    assertUnknown(1, store().claim(ask("lapsed"), lasting()));
    assertRunning(store().claim(ask("running"), lasting()));
    assertUnknown(1, store().claim(ask("doubted"), lasting()));
  }

  @Test
  public void releasedRecordsAreDroppedToo() throws Exception {
    started(ask("a"), soonDropped());
    store().release(id("a"), 1);
    passShortWhile();
    assertEquals(1, store().sweep(10));
    assertStarted(store().claim(ask("a"), lasting()));
  }

  /** What was dropped leaves nothing behind that could tell its runs from later ones. */
  @Test
  public void aStragglerIsNotTakenForARunAfterItsRecordWasDropped() throws Exception {
    long first = started(ask("a"), soonDropped());
    assertTrue(store().unknown(id("a"), first, "timed out"));
    assertTrue(store().release(id("a"), first));
    long second = started(ask("a"), soonDropped());
    assertTrue(store().done(id("a"), second, PAID));
    passShortWhile();
    assertEquals(1, store().sweep(10));

    long third = started(ask("a"), lasting());
    for (long straggler : List.of(first, second)) {
      assertFalse(store().release(id("a"), straggler));
      assertFalse(store().unknown(id("a"), straggler, "woke up late"));
      assertRunning(store().rerun(ask("a"), straggler, lasting()));
      assertFalse(store().done(id("a"), straggler, Reply.ok("late")));
    }
    assertEquals(List.of(first + " late", second + " late"), evidence(id("a")));
    assertRunning(store().claim(ask("a"), lasting()));
    assertTrue(store().done(id("a"), third, DECLINED));
    assertDone(DECLINED, store().claim(ask("a"), lasting()));
  }

  /** Also if it never got beyond its first run. */
  @Test
  public void aReleaseOfADroppedRunDoesNotReleaseALaterOne() throws Exception {
    long first = started(ask("a"), soonDropped());
    assertTrue(store().release(id("a"), first));
    passShortWhile();
    assertEquals(1, store().sweep(10));
    started(ask("a"), lasting());
    assertFalse(store().release(id("a"), first));
    assertRunning(store().claim(ask("a"), lasting()));
  }

  @Test
  public void aRerunOfADroppedRequestDoesNotLookLikeOne() throws Exception {
    long first = started(ask("a"), soonDropped());
    assertTrue(store().unknown(id("a"), first, "timed out"));
    assertTrue(store().done(id("a"), first, PAID));
    passShortWhile();
    assertEquals(1, store().sweep(10));
    long again = assertStarted(store().rerun(ask("a"), first, soonDropped()));
    assertTrue(again > first + 1, "the fence of a re-run: " + again);

    assertTrue(store().release(id("a"), again));
    passShortWhile();
    assertEquals(1, store().sweep(10));
    long later = assertStarted(store().rerun(ask("a"), again, lasting()));
    assertTrue(later > again + 1, "the fence of a re-run: " + later);
  }

  @Test
  public void aReleasedRequestThatRunsAgainIsNotDropped() throws Exception {
    started(ask("a"), soonDropped());
    store().release(id("a"), 1);
    assertStarted(2, store().claim(ask("a"), soonDropped()));
    passShortWhile();
    assertEquals(0, store().sweep(10));
    assertRunning(store().claim(ask("a"), lasting()));
  }

  @Test
  public void aDatedKeyAtOrBeforeWhatWasDroppedIsForgotten() throws Exception {
    GuardedId old = dated(Duration.ofHours(2), 1);
    GuardedId older = dated(Duration.ofHours(3), 2);
    GuardedId younger = dated(Duration.ofHours(1), 3);
    started(ask(old, null), soonDropped());
    store().done(old, 1, PAID);
    assertStarted(1, store().claim(ask(older, null), lasting()));
    assertTrue(store().done(older, 1, DECLINED));
    passShortWhile();
    assertEquals(1, store().sweep(10));

    assertRefused(Refusal.FORGOTTEN, store().claim(ask(old, null), lasting()));
    assertRefused(Refusal.FORGOTTEN, store().rerun(ask(old, null), 1, lasting()));
    assertRefused(
        Refusal.FORGOTTEN, store().claim(ask(dated(Duration.ofHours(4), 4), null), lasting()));
    // Known ones are still answered, later ones start, undated ones cannot be judged.
    assertDone(DECLINED, store().claim(ask(older, null), lasting()));
    assertStarted(1, store().claim(ask(younger, null), lasting()));
    assertStarted(store().claim(ask("undated"), lasting()));
  }

  @Test
  public void theHorizonNeverGoesBack() throws Exception {
    GuardedId later = dated(Duration.ofHours(1), 1);
    GuardedId earlier = dated(Duration.ofHours(2), 2);
    for (GuardedId id : List.of(later, earlier)) {
      started(ask(id, null), soonDropped());
    }
    for (GuardedId id : List.of(later, earlier)) {
      store().done(id, 1, PAID);
      passShortWhile();
      assertEquals(1, store().sweep(10));
    }
    assertRefused(Refusal.FORGOTTEN, store().claim(ask(later, null), lasting()));
  }

  @Test
  public void aUuidOfVersionSevenIsDated() throws Exception {
    long millis = System.currentTimeMillis() - 3_600_000;
    Key key = Key.uuid(new UUID(millis << 16 | 0x7abc, 0x8000_0000_0000_0001L));
    GuardedId id = GuardedId.of("tests", key);
    started(ask(id, null), soonDropped());
    store().done(id, 1, PAID);
    passShortWhile();
    assertEquals(1, store().sweep(10));
    assertRefused(Refusal.FORGOTTEN, store().claim(ask(id, null), lasting()));
  }

  @Test
  public void aReleasedDatedKeyIsForgottenOnceDropped() throws Exception {
    GuardedId id = dated(Duration.ofHours(1), 1);
    started(ask(id, null), soonDropped());
    store().release(id, 1);
    passShortWhile();
    assertEquals(1, store().sweep(10));
    assertRefused(Refusal.FORGOTTEN, store().claim(ask(id, null), lasting()));
  }

  /** The horizon judges ids without a record; this one has one, and nobody knows what it did. */
  @Test
  public void aLapsedRequestBehindTheHorizonIsUnknown() throws Exception {
    GuardedId lapsed = dated(Duration.ofHours(2), 1);
    GuardedId released = dated(Duration.ofHours(3), 2);
    GuardedId dropped = dated(Duration.ofHours(1), 3);
    started(ask(lapsed, null), soonUnknown());
    started(ask(released, null), lasting());
    assertTrue(store().release(released, 1));
    started(ask(dropped, null), soonDropped());
    assertTrue(store().done(dropped, 1, PAID));
    passShortWhile();
    assertEquals(1, store().sweep(10));

    assertUnknown(1, store().claim(ask(lapsed, null), lasting()));
    assertUnknown(1, store().claim(ask(lapsed, null), lasting()));
    assertStarted(2, store().claim(ask(released, null), lasting()));
    assertRunning(store().claim(ask(released, null), lasting()));
  }

  @Test
  public void aKeyFromTheFutureIsRefused() {
    Ask tomorrow = ask(dated(Duration.ofDays(-1), 1), null);
    assertRefused(Refusal.FROM_THE_FUTURE, store().claim(tomorrow, lasting()));
    Ask soon = ask(dated(Duration.ofMinutes(-1), 1), null);
    assertStarted(1, store().claim(soon, lasting()));
  }
}
