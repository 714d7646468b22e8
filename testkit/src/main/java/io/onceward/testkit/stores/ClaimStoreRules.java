package io.onceward.testkit.stores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Claimed;
import io.onceward.guard.GuardedAbandonment;
import io.onceward.guard.GuardedId;
import io.onceward.guard.UnknownRequest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every sentence of {@link ClaimStore}, one at a time. */
abstract class ClaimStoreRules extends StoreFixture {
  private static final Reply PAID = Reply.ok("paid");
  private static final Reply DECLINED = Reply.businessError("declined");

  @Test
  public void theFirstClaimStartsWithFenceOne() {
    assertStarted(1, store().claim(ask("a"), lasting()));
  }

  @Test
  public void aStartedRequestIsRunningForEverybodyElse() {
    started(ask("a"), lasting());
    Claimed again = store().claim(ask("a"), lasting());
    long left = assertInstanceOf(Claimed.Running.class, again).leaseLeftMillis();
    assertTrue(left > 0 && left <= lasting().leaseMillis(), "lease left: " + left);
  }

  @Test
  public void aDoneRequestIsAnsweredWithItsReply() {
    for (Reply reply : List.of(PAID, DECLINED, Reply.FAILED, Reply.REPLY_TOO_LARGE)) {
      Ask ask = ask("ended as " + reply.kind());
      long fence = started(ask, lasting());
      assertTrue(store().done(ask.id(), fence, reply));
      assertDone(reply, store().claim(ask, lasting()));
    }
  }

  @Test
  public void anAbandonedRequestKeepsItsEvidence() {
    long fence = started(ask("a"), lasting());
    assertTrue(store().release(id("a"), fence));
    long later = started(ask("a"), lasting());
    assertFalse(store().done(id("a"), fence, PAID));
    assertTrue(store().release(id("a"), later));
    assertEquals(new GuardedAbandonment.Closed(false), store().abandon(id("a"), 3_600_000));
    assertRefused(Refusal.ABANDONED, store().rerun(ask("a"), later, lasting()));
    assertFalse(store().unknown(id("a"), later, "why"));
    assertFalse(store().release(id("a"), later));
    assertFalse(store().done(id("a"), later, DECLINED));
    assertEquals(List.of(fence + " paid", later + " declined"), evidence(id("a")));
  }

  @Test
  public void anyBytesComeBackAsTheyWere() {
    byte[] bytes = new byte[Math.min(store().maxReplyBytes(), 16 << 10)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    long fence = started(ask("a"), lasting());
    assertTrue(store().done(id("a"), fence, Reply.ok(Bytes.of(bytes))));
    assertDone(Reply.ok(Bytes.of(bytes)), store().claim(ask("a"), lasting()));
  }

  @Test
  public void aReplyIsTheStoresOwnCopy() {
    byte[] bytes = "paid".getBytes(StandardCharsets.UTF_8);
    long fence = started(ask("a"), lasting());
    store().done(id("a"), fence, Reply.ok(Bytes.of(bytes)));
    bytes[0] = 'X';
    assertDone(PAID, store().claim(ask("a"), lasting()));
  }

  @Test
  public void aGlanceNeverSaysMoreThanAClaimWould() {
    Ask ask = ask("a");
    started(ask, lasting());
    assertFalse(store().glance(ask) instanceof Claimed.Started);
    store().done(ask.id(), 1, PAID);
    Claimed glanced = store().glance(ask);
    assertTrue(glanced == null || glanced.equals(new Claimed.Done(PAID)), "glanced: " + glanced);
    Claimed mismatch = store().glance(ask(ask.id(), new Fingerprint(2)));
    assertFalse(mismatch instanceof Claimed.Done, "shown to another payload: " + mismatch);
  }

  @Test
  public void principalAndScopeTellRequestsApart() {
    Key key = Key.text("a");
    List<GuardedId> ids =
        List.of(
            new GuardedId("", Scope.NONE, key),
            new GuardedId("alice", Scope.NONE, key),
            new GuardedId("", new Scope("alice"), key),
            new GuardedId("alice", new Scope("alice"), key),
            new GuardedId("", Scope.NONE, Key.of(Key.Kind.HASH, key.high(), key.low())));
    for (GuardedId id : ids) {
      assertStarted(1, store().claim(ask(id, null), lasting()));
    }
    for (GuardedId id : ids) {
      assertTrue(store().done(id, 1, Reply.ok(id.toString())));
    }
    for (GuardedId id : ids) {
      assertDone(Reply.ok(id.toString()), store().claim(ask(id, null), lasting()));
    }
  }

  @Test
  public void fingerprintsAreComparedInEveryState() throws Exception {
    Fingerprint one = new Fingerprint(1);
    Fingerprint other = new Fingerprint(2);
    for (String state : List.of("STARTED", "DONE", "UNKNOWN", "RELEASED")) {
      GuardedId with = id("with a fingerprint, " + state);
      bring(ask(with, one), state);
      assertRefused(Refusal.MISMATCH, store().claim(ask(with, other), lasting()));
      assertRefused(Refusal.MISMATCH, store().rerun(ask(with, other), 1, lasting()));
      assertNotMismatch(store().claim(ask(with, one), lasting()));

      GuardedId without = id("without one, " + state);
      bring(ask(without, null), state);
      assertRefused(Refusal.MISMATCH, store().claim(ask(without, one), lasting()));
      assertNotMismatch(store().claim(ask(without, null), lasting()));

      GuardedId dropped = id("without one now, " + state);
      bring(ask(dropped, one), state);
      assertNotMismatch(store().claim(ask(dropped, null), lasting()));
      assertRefused(Refusal.MISMATCH, store().claim(ask(dropped, other), lasting()));
    }
  }

  private static void assertNotMismatch(Claimed claimed) {
    assertNotEquals(new Claimed.Refused(Refusal.MISMATCH), claimed);
  }

  private void bring(Ask ask, String state) {
    long fence = started(ask, lasting());
    switch (state) {
      case "STARTED" -> {}
      case "DONE" -> assertTrue(store().done(ask.id(), fence, PAID));
      case "UNKNOWN" -> assertTrue(store().unknown(ask.id(), fence, "timed out"));
      case "RELEASED" -> assertTrue(store().release(ask.id(), fence));
      default -> throw new IllegalArgumentException(state);
    }
  }

  @Test
  public void aMismatchChangesNothing() throws Exception {
    Ask ask = ask("a");
    long fence = startedAndLapsed(ask);
    assertRefused(
        Refusal.MISMATCH, store().rerun(ask(ask.id(), new Fingerprint(2)), fence, lasting()));
    assertUnknown(fence, store().claim(ask, lasting()));
  }

  @Test
  public void aLeaseThatEndedLeavesTheRequestUnknown() throws Exception {
    long fence = startedAndLapsed(ask("a"));
    UnknownRequest unknown = assertUnknown(fence, store().claim(ask("a"), lasting()));
    assertEquals(id("a"), unknown.id());
    assertEquals("charge", unknown.operation());
    assertEquals(ask("a").memo(), unknown.memo());
    assertFalse(unknown.why().isEmpty());
    assertTrue(unknown.startedMillisAgo() >= shortWhile().toMillis(), unknown.toString());
  }

  @Test
  public void aRunThatDoesNotKnowLeavesTheRequestUnknown() {
    long fence = started(ask("a"), lasting());
    assertTrue(store().unknown(id("a"), fence, "read timed out"));
    assertTrue(store().unknown(id("a"), fence, "said twice"), "the same again is taken again");
    UnknownRequest unknown = assertUnknown(fence, store().claim(ask("a"), lasting()));
    assertEquals("read timed out", unknown.why());
  }

  @Test
  public void aLongReasonIsCut() {
    long fence = started(ask("a"), lasting());
    String why = "x".repeat(ClaimStore.MAX_WHY_CHARACTERS + 1);
    assertTrue(store().unknown(id("a"), fence, why));
    String kept = store().unknowns(1).get(0).why();
    assertEquals(why.substring(1), kept);
  }

  @Test
  public void anUnknownRequestIsNotStartedAgainByClaims() throws Exception {
    long fence = startedAndLapsed(ask("a"));
    for (int i = 0; i < 3; i++) {
      assertUnknown(fence, store().claim(ask("a"), lasting()));
    }
  }

  @Test
  public void aLateTrueCompletionResolvesUnknown() throws Exception {
    long fence = startedAndLapsed(ask("a"));
    assertUnknown(fence, store().claim(ask("a"), lasting()));
    assertTrue(store().done(id("a"), fence, PAID));
    assertDone(PAID, store().claim(ask("a"), lasting()));
    assertEquals(List.of(), store().unknowns(10));
    assertEquals(List.of(), evidence(id("a")));
  }

  @Test
  public void aCompletionAfterTheLeaseThatNobodySawEndIsTaken() throws Exception {
    long fence = startedAndLapsed(ask("a"));
    assertTrue(store().done(id("a"), fence, PAID));
    assertDone(PAID, store().claim(ask("a"), lasting()));
  }

  @Test
  public void theSameCompletionAgainIsTakenAgain() {
    long fence = started(ask("a"), lasting());
    assertTrue(store().done(id("a"), fence, PAID));
    assertTrue(store().done(id("a"), fence, PAID));
    assertEquals(List.of(), evidence(id("a")));
  }

  @Test
  public void anotherCompletionOfADoneRequestIsKeptAsEvidence() {
    long fence = started(ask("a"), lasting());
    assertTrue(store().done(id("a"), fence, PAID));
    assertFalse(store().done(id("a"), fence, Reply.ok("paid differently")));
    assertFalse(store().done(id("a"), fence, Reply.businessError("paid")));
    assertDone(PAID, store().claim(ask("a"), lasting()));
    assertEquals(List.of(fence + " paid differently", fence + " paid"), evidence(id("a")));
  }

  @Test
  public void aCompletionOfAnEarlierRunIsRefusedAndKeptAsEvidence() throws Exception {
    long first = startedAndLapsed(ask("a"));
    long second = assertStarted(store().rerun(ask("a"), first, lasting()));
    Instant before = Instant.now().minusSeconds(3600);
    assertFalse(store().done(id("a"), first, Reply.ok("late")));
    assertEquals(List.of(first + " late"), evidence(id("a")));
    assertTrue(store().evidence(id("a")).get(0).arrived().isAfter(before));
    assertRunning(store().claim(ask("a"), lasting()));

    assertTrue(store().done(id("a"), second, PAID));
    assertFalse(store().done(id("a"), first, Reply.ok("later")));
    assertEquals(List.of(first + " late", first + " later"), evidence(id("a")));
    assertDone(PAID, store().claim(ask("a"), lasting()));
  }

  @Test
  public void aCompletionOfAReleasedRunIsRefusedAndKeptAsEvidence() {
    long fence = started(ask("a"), lasting());
    assertTrue(store().release(id("a"), fence));
    assertFalse(store().done(id("a"), fence, PAID));
    assertEquals(List.of(fence + " paid"), evidence(id("a")));
    assertStarted(fence + 1, store().claim(ask("a"), lasting()));
  }

  @Test
  public void aCompletionOfNothingIsRefused() {
    assertFalse(store().done(id("never seen"), 1, PAID));
    assertStarted(1, store().claim(ask("never seen"), lasting()));
  }

  @Test
  public void aCompletionWithAFenceToComeIsRefused() {
    long fence = started(ask("a"), lasting());
    assertFalse(store().done(id("a"), fence + 1, PAID));
    assertRunning(store().claim(ask("a"), lasting()));
  }

  @Test
  public void evidenceIsOfOneRequestOnly() {
    for (String name : List.of("a", "b")) {
      long fence = started(ask(name), lasting());
      store().done(id(name), fence, PAID);
    }
    store().done(id("a"), 1, Reply.ok("late"));
    assertEquals(List.of(), evidence(id("b")));
    assertEquals(List.of(), evidence(id("never seen")));
  }

  @Test
  public void aReleasedRequestRunsWithTheNextClaim() {
    long fence = started(ask("a"), lasting());
    assertTrue(store().release(id("a"), fence));
    assertTrue(store().release(id("a"), fence), "the same again is taken again");
    assertStarted(2, store().claim(ask("a"), lasting()));
    assertFalse(store().release(id("a"), fence), "it is the next run's now");
    assertRunning(store().claim(ask("a"), lasting()));
  }

  @Test
  public void anUnknownRequestCanBeReleased() throws Exception {
    long fence = startedAndLapsed(ask("a"));
    assertTrue(store().release(id("a"), fence));
    assertEquals(List.of(), store().unknowns(10));
    assertStarted(2, store().claim(ask("a"), lasting()));
  }

  @Test
  public void aDecidedRequestIsNeitherReleasedNorUnknown() {
    long fence = started(ask("a"), lasting());
    store().done(id("a"), fence, PAID);
    assertFalse(store().release(id("a"), fence));
    assertFalse(store().unknown(id("a"), fence, "late doubt"));
    assertDone(PAID, store().claim(ask("a"), lasting()));
  }

  @Test
  public void aReleasedRequestIsNotUnknown() {
    long fence = started(ask("a"), lasting());
    store().release(id("a"), fence);
    assertFalse(store().unknown(id("a"), fence, "late doubt"));
    assertEquals(List.of(), store().unknowns(10));
  }

  @Test
  public void nothingIsReleasedOrUnknownThatWasNeverSeen() {
    assertFalse(store().release(id("never seen"), 1));
    assertFalse(store().unknown(id("never seen"), 1, "why"));
    assertEquals(List.of(), store().unknowns(10));
  }

  @Test
  public void anEarlierRunCannotDisturbALaterOne() throws Exception {
    long first = startedAndLapsed(ask("a"));
    long second = assertStarted(store().rerun(ask("a"), first, lasting()));
    assertFalse(store().release(id("a"), first));
    assertFalse(store().unknown(id("a"), first, "woke up late"));
    assertRunning(store().claim(ask("a"), lasting()));
    assertTrue(store().done(id("a"), second, PAID));
  }

  @Test
  public void theFenceGrowsByOneWithEachRunAndOnlyThen() throws Exception {
    long fence = started(ask("a"), soonUnknown());
    for (long next = 2; next <= 4; next++) {
      passShortWhile();
      assertUnknown(fence, store().claim(ask("a"), soonUnknown()));
      assertUnknown(fence, store().claim(ask("a"), soonUnknown()));
      fence = assertStarted(store().rerun(ask("a"), fence, soonUnknown()));
      assertEquals(next, fence);
    }
    passShortWhile();
    assertTrue(store().release(id("a"), fence));
    assertStarted(5, store().claim(ask("a"), lasting()));
  }

  @Test
  public void aRerunNeedsTheCurrentFence() throws Exception {
    long first = startedAndLapsed(ask("a"));
    assertUnknown(first, store().rerun(ask("a"), first + 1, lasting()));
    long second = assertStarted(store().rerun(ask("a"), first, soonUnknown()));
    passShortWhile();
    assertUnknown(second, store().rerun(ask("a"), first, lasting()));
    assertStarted(second + 1, store().rerun(ask("a"), second, lasting()));
  }

  @Test
  public void aRerunOfWhatIsNotUnknownTellsWhatAClaimWould() {
    long fence = started(ask("a"), lasting());
    assertRunning(store().rerun(ask("a"), fence, lasting()));
    store().done(id("a"), fence, PAID);
    assertDone(PAID, store().rerun(ask("a"), fence, lasting()));

    long released = started(ask("b"), lasting());
    store().release(id("b"), released);
    assertStarted(released + 1, store().rerun(ask("b"), released, lasting()));

    assertStarted(1, store().rerun(ask("never seen"), 1, lasting()));
  }

  @Test
  public void aRerunHasALeaseOfItsOwn() throws Exception {
    long first = startedAndLapsed(ask("a"));
    assertStarted(store().rerun(ask("a"), first, soonUnknown()));
    passShortWhile();
    assertUnknown(2, store().claim(ask("a"), lasting()));
  }
}
