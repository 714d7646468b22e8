package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.DatedIds;
import io.onceward.Executed;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Asking, abandoning, acknowledging and forgetting through a guard (O1, O2, K2, K4, K5). */
class GuardOutcomeTest {
  private static final GuardedId ID = GuardedId.of("shop", Key.text("order 1"));
  private static final Reply PAID = Reply.ok("paid");

  private final Guard guard = Guard.inMemory().build();

  @AfterEach
  void close() {
    guard.close();
  }

  private static Ask ask(GuardedId id) {
    return new Ask(id, null, "charge");
  }

  private static Reply neverRun(Run run) {
    throw new AssertionError("it must not run");
  }

  @Test
  void abandonedRequestIsRefusedForGood() {
    assertThat(guard.outcome(ID)).isEqualTo(new GuardedOutcome.NeverSeen());
    assertThat(guard.abandon(ID)).isEqualTo(new GuardedAbandonment.Closed(false));
    Ruling ruling = guard.decide(ask(ID), GuardOutcomeTest::neverRun);
    assertThat(ruling).isEqualTo(new Ruling.Refused(Refusal.ABANDONED, ""));
    assertThat(ruling.executed()).isEqualTo(Executed.NEVER);
    assertThat(guard.outcome(ID)).isEqualTo(new GuardedOutcome.Abandoned());
  }

  @Test
  void runningRequestCannotBeAbandonedAndCompletes() {
    CompletableFuture<Reply> effect = new CompletableFuture<>();
    CompletableFuture<Ruling> ruling = guard.decideAsync(ask(ID), run -> effect);
    assertThat(guard.abandon(ID)).isInstanceOf(GuardedAbandonment.Undecided.class);
    effect.complete(PAID);
    assertThat(ruling.join()).isEqualTo(new Ruling.Replied(PAID, false));
    assertThat(guard.abandon(ID)).isEqualTo(new GuardedAbandonment.Executed(PAID));
  }

  @Test
  void acknowledgedReplyIsReleasedEarly() {
    guard.decide(ask(ID), run -> PAID);
    assertThat(guard.acknowledge(ID)).isTrue();
    assertThat(guard.decide(ask(ID), GuardOutcomeTest::neverRun))
        .isEqualTo(new Ruling.Refused(Refusal.ACKNOWLEDGED, ""));
  }

  @Test
  void acknowledgedReplyGivesItsRoomBack() {
    MemoryStore store = MemoryStore.builder().sweptByHand().build();
    store.claim(ask(ID), new ClaimTerms(1_000, 1_000));
    store.done(ID, 1, Reply.ok("x".repeat(50_000)));
    assertThat(store.bytes()).isGreaterThan(50_000);
    store.acknowledge(ID);
    assertThat(store.bytes()).isLessThan(1_000);
  }

  @Test
  void forgettingIsCountedFirst() {
    guard.decide(ask(ID), run -> PAID);
    Instant later = Instant.now().plus(Duration.ofHours(1));
    assertThat(guard.countOlderThan(later)).isEqualTo(1);
    assertThat(guard.forget(later)).isEqualTo(1);
    assertThat(guard.outcome(ID)).isInstanceOf(GuardedOutcome.NoRecordSince.class);
  }

  @Test
  void scopeOfDatedIdsRefusesOthersUnlessTheyAreKnown() {
    MemoryStore store = MemoryStore.builder().sweptByHand().build();
    Guard before = Guard.on(store).build();
    before.decide(ask(ID), run -> PAID);
    Guard strict = Guard.on(store).datedOnly(scope -> scope.name().equals("shop")).build();
    Ask undated = ask(GuardedId.of("shop", Key.text("order 2")));
    assertThat(strict.decide(undated, GuardOutcomeTest::neverRun))
        .isEqualTo(new Ruling.Refused(Refusal.UNDATED, ""));
    assertThat(strict.decideAsync(undated, run -> CompletableFuture.completedFuture(PAID)).join())
        .isEqualTo(new Ruling.Refused(Refusal.UNDATED, ""));
    assertThat(store.entries()).isEqualTo(1);
    assertThat(strict.decide(ask(ID), GuardOutcomeTest::neverRun))
        .isEqualTo(new Ruling.Replied(PAID, true));
    assertThat(strict.decide(ask(GuardedId.of("shop", new DatedIds().next())), run -> PAID))
        .isEqualTo(new Ruling.Replied(PAID, false));
    assertThat(strict.decide(ask(GuardedId.of("mail", Key.text("any"))), run -> PAID))
        .isEqualTo(new Ruling.Replied(PAID, false));
  }

  /** Its record was dropped behind the look, and another guard, which is not strict, ran it. */
  @Test
  void anIdThatWasDecidedWhenItWasLookedForDoesNotRun() {
    MemoryStore store = MemoryStore.builder().sweptByHand().build();
    Guard.on(store).build().decide(ask(ID), run -> PAID);
    Runnable drops =
        () -> {
          store.forget(Instant.now().plus(Duration.ofHours(1)));
          Claimed claimed = store.claim(ask(ID), new ClaimTerms(1_000, 1_000));
          assertThat(store.release(ID, ((Claimed.Started) claimed).fence())).isTrue();
        };
    Guard strict = Guard.on(afterTheLook(store, drops)).datedOnly(scope -> true).build();
    assertThat(strict.decide(ask(ID), GuardOutcomeTest::neverRun))
        .isEqualTo(new Ruling.Refused(Refusal.UNDATED, ""));
    assertThat(store.outcome(ID)).isEqualTo(new GuardedOutcome.DidNotHappen());
  }

  @Test
  void anUnknownIdRunsAgainWhereOnlyDatedOnesMayBegin() {
    MemoryStore store = MemoryStore.builder().sweptByHand().build();
    long fence = unknown(store);
    Guard strict =
        Guard.on(store)
            .datedOnly(scope -> true)
            .probe(request -> new Finding.CanNoLongerHappen())
            .build();
    assertThat(strict.decide(ask(ID), run -> Reply.ok("run " + run.fence())))
        .isEqualTo(new Ruling.Replied(Reply.ok("run " + (fence + 1)), false));
  }

  /** Its fence tells: what starts then is no re-run, but a request that is new. */
  @Test
  void anUnknownIdThatIsDroppedWhileItIsLookedIntoDoesNotRun() {
    MemoryStore store = MemoryStore.builder().sweptByHand().build();
    long fence = unknown(store);
    Probe drops =
        request -> {
          assertThat(store.done(ID, fence, PAID)).isTrue();
          assertThat(store.forget(Instant.now().plus(Duration.ofHours(1)))).isEqualTo(1);
          return new Finding.CanNoLongerHappen();
        };
    Guard strict = Guard.on(store).datedOnly(scope -> true).probe(drops).build();
    assertThat(strict.decide(ask(ID), GuardOutcomeTest::neverRun))
        .isEqualTo(new Ruling.Refused(Refusal.UNDATED, ""));
    assertThat(store.outcome(ID)).isEqualTo(new GuardedOutcome.DidNotHappen());
  }

  private static long unknown(MemoryStore store) {
    Claimed claimed = store.claim(ask(ID), new ClaimTerms(1_000, 1_000));
    long fence = ((Claimed.Started) claimed).fence();
    assertThat(store.unknown(ID, fence, "timed out")).isTrue();
    return fence;
  }

  private static ClaimStore afterTheLook(ClaimStore store, Runnable happens) {
    return (ClaimStore)
        Proxy.newProxyInstance(
            ClaimStore.class.getClassLoader(),
            new Class<?>[] {ClaimStore.class},
            (proxy, method, arguments) -> {
              Object answer = method.invoke(store, arguments);
              if (method.getName().equals("outcome")) {
                happens.run();
              }
              return answer;
            });
  }

  @Test
  void abandonmentsKeepWithinTheBytesOfTheStore() {
    HandClock clock = new HandClock();
    MemoryStore store = MemoryStore.builder().maxBytes(5_000).clock(clock).sweptByHand().build();
    int closed = 0;
    GuardedAbandonment last = new GuardedAbandonment.Closed(false);
    while (last instanceof GuardedAbandonment.Closed && closed < 100) {
      last = store.abandon(GuardedId.of("shop", Key.text("order " + closed)), 1_000);
      closed++;
    }
    assertThat(last).isEqualTo(new GuardedAbandonment.Refused(Refusal.OVERLOADED, "maxBytes"));
    assertThat(store.bytes()).isLessThanOrEqualTo(5_000);
    assertThat(store.entries()).isEqualTo(closed - 1).isGreaterThan(5);
    clock.pass(Duration.ofSeconds(2));
    assertThat(store.abandon(ID, 1_000)).isEqualTo(new GuardedAbandonment.Closed(false));
  }

  /** A store of somebody else's, written before this was asked of stores. */
  @Test
  void storeThatCannotTellSaysSo() {
    Guard on = Guard.on(new Troubled(MemoryStore.builder().sweptByHand().build())).build();
    assertThatThrownBy(() -> on.outcome(ID))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("Troubled does not tell outcomes");
  }
}
