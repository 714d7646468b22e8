package io.onceward.testkit.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.onceward.Fingerprint;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.Claimed;
import io.onceward.guard.Evidence;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * What a store passes that can tell outcomes, abandon, release replies early and forget (O1, O2,
 * K2, K4), beside the {@link ClaimStoreContract}.
 */
public abstract class OutcomeContract extends StoreFixture {
  private static final Reply PAID = Reply.ok("paid");
  private static final long HOUR = 3_600_000;
  private static final GuardedAbandonment CLOSED_FOR_A_WHILE = new GuardedAbandonment.Closed(false);
  private static final GuardedAbandonment CLOSED_FOR_EVER = new GuardedAbandonment.Closed(true);

  private void decided(GuardedId id) {
    long fence = started(ask(id, new Fingerprint(1)), lasting());
    assertTrue(store().done(id, fence, PAID));
  }

  @Test
  public void theOutcomeTellsWhatEachStateMeans() throws Exception {
    assertEquals(new GuardedOutcome.NeverSeen(), store().outcome(id("a")));
    started(ask("a"), soonUnknown());
    assertInstanceOf(GuardedOutcome.Running.class, store().outcome(id("a")));
    passShortWhile();
    GuardedOutcome lapsed = store().outcome(id("a"));
    assertEquals(1, assertInstanceOf(GuardedOutcome.Unknown.class, lapsed).request().fence());
    assertTrue(store().release(id("a"), 1));
    assertEquals(new GuardedOutcome.DidNotHappen(), store().outcome(id("a")));
    assertStarted(2, store().claim(ask("a"), lasting()));
    assertTrue(store().done(id("a"), 2, PAID));
    GuardedOutcome done = store().outcome(id("a"));
    assertEquals(PAID, assertInstanceOf(GuardedOutcome.Executed.class, done).reply());
    assertTrue(store().acknowledge(id("a")));
    assertEquals(new GuardedOutcome.Acknowledged(), store().outcome(id("a")));
    assertEquals(CLOSED_FOR_A_WHILE, store().abandon(id("b"), HOUR));
    assertEquals(new GuardedOutcome.Abandoned(), store().outcome(id("b")));
  }

  @Test
  public void theOutcomeOfAnotherPrincipalsRequestIsNotTold() {
    decided(id("a"));
    GuardedId theirs = new GuardedId("mallory", id("a").scope(), id("a").key());
    assertEquals(new GuardedOutcome.NeverSeen(), store().outcome(theirs));
    assertFalse(store().acknowledge(theirs));
    assertEquals(CLOSED_FOR_A_WHILE, store().abandon(theirs, HOUR));
    assertDone(PAID, store().claim(ask("a"), lasting()));
  }

  @Test
  public void whatWasDroppedMayHaveExecuted() throws Exception {
    GuardedId old = dated(Duration.ofHours(2), 1);
    started(ask(old, null), soonDropped());
    assertTrue(store().done(old, 1, PAID));
    started(ask("undated"), soonDropped());
    assertTrue(store().done(id("undated"), 1, PAID));
    passShortWhile();
    assertEquals(2, store().sweep(10));
    assertEquals(new GuardedOutcome.NoRecordSince(old.key().dateMicros()), store().outcome(old));
    assertInstanceOf(GuardedOutcome.NoRecordSince.class, store().outcome(id("undated")));
    assertEquals(new GuardedOutcome.NeverSeen(), store().outcome(dated(Duration.ofHours(1), 2)));
  }

  @Test
  public void anAbandonedRequestNeverRuns() {
    for (GuardedId id : List.of(id("a"), dated(Duration.ofHours(1), 1))) {
      GuardedAbandonment closed = id.key().isDated() ? CLOSED_FOR_EVER : CLOSED_FOR_A_WHILE;
      assertEquals(closed, store().abandon(id, HOUR));
      assertRefused(Refusal.ABANDONED, store().claim(ask(id, null), lasting()));
      assertRefused(Refusal.ABANDONED, store().claim(ask(id, new Fingerprint(7)), lasting()));
      assertRefused(Refusal.ABANDONED, store().rerun(ask(id, null), 1, lasting()));
      assertEquals(closed, store().abandon(id, HOUR));
      assertFalse(store().done(id, 1, PAID));
      assertFalse(store().release(id, 1));
      assertFalse(store().unknown(id, 1, "why"));
      assertFalse(store().acknowledge(id));
    }
  }

  @Test
  public void aReleasedRequestCanBeAbandoned() {
    started(ask("a"), lasting());
    assertTrue(store().release(id("a"), 1));
    assertEquals(CLOSED_FOR_A_WHILE, store().abandon(id("a"), HOUR));
    assertRefused(Refusal.ABANDONED, store().claim(ask("a"), lasting()));
    // The run that was thought not to have happened had; that must not be lost.
    assertFalse(store().done(id("a"), 1, PAID));
    assertEquals(List.of("1 paid"), evidence(id("a")));
  }

  @Test
  public void whatExecutedOrMayHaveIsNotClosed() throws Exception {
    decided(id("done"));
    assertEquals(new GuardedAbandonment.Executed(PAID), store().abandon(id("done"), HOUR));
    assertDone(PAID, store().claim(ask("done"), lasting()));

    started(ask("running"), lasting());
    GuardedOutcome now = undecided(store().abandon(id("running"), HOUR));
    assertInstanceOf(GuardedOutcome.Running.class, now);
    assertTrue(store().done(id("running"), 1, PAID));

    startedAndLapsed(ask("unknown"));
    now = undecided(store().abandon(id("unknown"), HOUR));
    assertInstanceOf(GuardedOutcome.Unknown.class, now);
    assertUnknown(1, store().claim(ask("unknown"), lasting()));

    decided(id("taken"));
    assertTrue(store().acknowledge(id("taken")));
    assertEquals(
        new GuardedAbandonment.Refused(Refusal.ACKNOWLEDGED, ""),
        store().abandon(id("taken"), HOUR));
  }

  private static GuardedOutcome undecided(GuardedAbandonment answer) {
    return assertInstanceOf(GuardedAbandonment.Undecided.class, answer).now();
  }

  @Test
  public void aDateThatCannotBeJudgedIsNotAbandoned() throws Exception {
    GuardedId old = dated(Duration.ofHours(2), 1);
    started(ask(old, null), soonDropped());
    assertTrue(store().done(old, 1, PAID));
    passShortWhile();
    assertEquals(1, store().sweep(10));
    assertEquals(new GuardedAbandonment.Refused(Refusal.FORGOTTEN, ""), store().abandon(old, HOUR));
    // Dropped after its retention, it would move the horizon into the future.
    GuardedId tomorrow = dated(Duration.ofDays(-1), 2);
    assertEquals(
        new GuardedAbandonment.Refused(Refusal.FROM_THE_FUTURE, ""),
        store().abandon(tomorrow, HOUR));
    assertEquals(new GuardedOutcome.NeverSeen(), store().outcome(tomorrow));
  }

  @Test
  public void anAbandonedDatedRequestStaysClosedAfterItsRetention() throws Exception {
    GuardedId id = dated(Duration.ofHours(1), 1);
    assertEquals(CLOSED_FOR_EVER, store().abandon(id, shortWhile().toMillis()));
    assertEquals(CLOSED_FOR_A_WHILE, store().abandon(id("a"), shortWhile().toMillis()));
    passShortWhile();
    assertEquals(2, store().sweep(10));
    assertRefused(Refusal.FORGOTTEN, store().claim(ask(id, null), lasting()));
    assertStarted(store().claim(ask("a"), lasting()));
  }

  @Test
  public void anAcknowledgedReplyIsGoneAndItsCopiesAreRefused() throws Exception {
    started(ask("a"), soonDropped());
    assertTrue(store().done(id("a"), 1, PAID));
    assertTrue(store().acknowledge(id("a")));
    assertFalse(store().acknowledge(id("a")), "there is no reply any more");
    assertRefused(Refusal.ACKNOWLEDGED, store().claim(ask("a"), lasting()));
    assertRefused(Refusal.ACKNOWLEDGED, store().claim(ask(id("a"), new Fingerprint(2)), lasting()));
    assertRefused(Refusal.ACKNOWLEDGED, store().rerun(ask("a"), 1, lasting()));
    passShortWhile();
    assertEquals(1, store().sweep(10), "it lasts as long as the record would have");
    assertStarted(store().claim(ask("a"), lasting()));
  }

  /** The reply is gone, but not what it was: the effect may have happened twice. */
  @Test
  public void aCompletionThatContradictsTheReplyThatWasTakenIsEvidence() throws Exception {
    started(ask("a"), lasting());
    assertTrue(store().done(id("a"), 1, PAID));
    assertTrue(store().acknowledge(id("a")));
    assertTrue(store().done(id("a"), 1, PAID), "the same again");
    assertEquals(List.of(), store().evidence(id("a")));
    Reply otherBytes = Reply.ok("paid twice");
    Reply otherKind = Reply.businessError(PAID.bytes());
    assertFalse(store().done(id("a"), 1, otherBytes));
    assertFalse(store().done(id("a"), 1, otherKind));
    assertEquals(
        List.of(otherBytes, otherKind),
        store().evidence(id("a")).stream().map(Evidence::reply).toList());
    assertEquals(new GuardedOutcome.Acknowledged(), store().outcome(id("a")));
  }

  @Test
  public void onlyADecidedRequestIsAcknowledged() throws Exception {
    assertFalse(store().acknowledge(id("never seen")));
    assertEquals(new GuardedOutcome.NeverSeen(), store().outcome(id("never seen")));
    started(ask("running"), lasting());
    assertFalse(store().acknowledge(id("running")));
    assertRunning(store().claim(ask("running"), lasting()));
    startedAndLapsed(ask("unknown"));
    assertFalse(store().acknowledge(id("unknown")));
    assertUnknown(1, store().claim(ask("unknown"), lasting()));
    started(ask("released"), lasting());
    assertTrue(store().release(id("released"), 1));
    assertFalse(store().acknowledge(id("released")));
    assertStarted(2, store().claim(ask("released"), lasting()));
  }

  @Test
  public void forgettingDropsWhatIsOlderAndNotOpen() throws Exception {
    GuardedId old = dated(Duration.ofHours(2), 1);
    GuardedId older = dated(Duration.ofHours(3), 2);
    started(ask(old, null), lasting());
    assertTrue(store().done(old, 1, PAID));
    decided(id("undated"));
    started(ask("released"), lasting());
    assertTrue(store().release(id("released"), 1));
    assertEquals(CLOSED_FOR_A_WHILE, store().abandon(id("abandoned"), HOUR));
    decided(id("taken"));
    assertTrue(store().acknowledge(id("taken")));
    started(ask("running"), lasting());
    startedAndLapsed(ask("unknown"));
    passMoment();
    started(ask("mark"), lasting());
    Instant bound = startOf("mark");
    passMoment();
    decided(id("younger"));

    assertEquals(0, store().countOlderThan(bound.minus(Duration.ofHours(1))));
    assertEquals(5, store().countOlderThan(bound));
    assertEquals(5, store().countOlderThan(bound), "counting changes nothing");
    assertDone(PAID, store().claim(ask(old, null), lasting()));
    assertEquals(5, store().forget(bound));
    assertEquals(0, store().forget(bound));

    assertRefused(Refusal.FORGOTTEN, store().claim(ask(old, null), lasting()));
    assertRefused(Refusal.FORGOTTEN, store().claim(ask(older, null), lasting()));
    assertStarted(store().claim(ask("undated"), lasting()));
    assertRunning(store().claim(ask("running"), lasting()));
    assertUnknown(1, store().claim(ask("unknown"), lasting()));
    assertDone(PAID, store().claim(ask("younger"), lasting()));
  }

  @Test
  public void aStragglerIsNotTakenForARunAfterItsRecordWasForgotten() throws Exception {
    long first = started(ask("a"), lasting());
    assertTrue(store().unknown(id("a"), first, "timed out"));
    assertTrue(store().release(id("a"), first));
    long second = started(ask("a"), lasting());
    assertTrue(store().done(id("a"), second, PAID));
    passMoment();
    started(ask("mark"), lasting());
    assertEquals(1, store().forget(startOf("mark")));

    long third = started(ask("a"), lasting());
    for (long straggler : List.of(first, second)) {
      assertFalse(store().release(id("a"), straggler));
      assertFalse(store().done(id("a"), straggler, Reply.ok("late")));
    }
    assertRunning(store().claim(ask("a"), lasting()));
    assertTrue(store().done(id("a"), third, PAID));
  }

  /** When a request was started, by the store's clock. Decides it. */
  private Instant startOf(String name) {
    assertTrue(store().done(id(name), 1, PAID));
    return assertInstanceOf(GuardedOutcome.Executed.class, store().outcome(id(name))).started();
  }

  /** Either it ran or it was closed, and everybody is told the same. */
  @Test
  public void abandoningAndClaimingExcludeEachOther() throws Exception {
    for (int round = 0; round < 20; round++) {
      GuardedId id = round % 2 == 0 ? id("race " + round) : dated(Duration.ofHours(1), round);
      List<Callable<Object>> steps = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        steps.add(() -> store().claim(ask(id, null), lasting()));
        steps.add(() -> store().abandon(id, HOUR));
      }
      List<Object> answers = atOnce(steps);
      boolean started = answers.contains(new Claimed.Started(1));
      boolean closed = answers.stream().anyMatch(GuardedAbandonment.Closed.class::isInstance);
      assertTrue(started != closed, answers.toString());
      Claimed now = store().claim(ask(id, null), lasting());
      if (started) {
        assertRunning(now);
      } else {
        assertRefused(Refusal.ABANDONED, now);
      }
    }
  }
}
