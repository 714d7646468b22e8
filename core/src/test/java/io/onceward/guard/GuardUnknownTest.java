package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Leases, probes and late completions (G2 to G4). Two guards on one store are two processes: P1
 * loses its lease, P2 comes after it.
 */
@Timeout(60)
class GuardUnknownTest {
  private static final GuardedId ID = GuardedId.of("tenant", Key.text("order 4711"));
  private static final Ask ASK = new Ask(ID, new Fingerprint(1), "charge", "order 4711");
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final HandClock clock = new HandClock();
  private final MemoryStore store = MemoryStore.builder().clock(clock).sweptByHand().build();
  private final AtomicInteger runs = new AtomicInteger();
  private final List<UnknownRequest> probed = new ArrayList<>();

  private Guard.Builder process() {
    return Guard.on(new Troubled(store)).clock(clock).lease(LEASE);
  }

  private Probe finding(Finding finding) {
    return request -> {
      probed.add(request);
      return finding;
    };
  }

  private Effect paying(String receipt) {
    return run -> {
      runs.incrementAndGet();
      return Reply.ok(receipt);
    };
  }

  /** A process that claimed and was not heard of again. */
  private long died() {
    long fence =
        ((Claimed.Started) store.claim(ASK, new ClaimTerms(LEASE.toMillis(), 86_400_000))).fence();
    clock.pass(LEASE);
    return fence;
  }

  private static Ruling replied(String receipt, boolean replay) {
    return new Ruling.Replied(Reply.ok(receipt), replay);
  }

  @Test
  void requestOfAProcessThatDiedIsUnknownAndNotRunAgain() {
    died();
    try (Guard p2 = process().build()) {
      assertThat(p2.decide(ASK, paying("again"))).isInstanceOf(Ruling.Unknown.class);
      assertThat(runs).hasValue(0);
      assertThat(p2.unknowns(1).get(0).why()).contains("lease");
    }
  }

  @Test
  void probeThatFindsItHappenedDecidesIt() {
    long fence = died();
    try (Guard p2 = process().probe(finding(new Finding.Happened(Reply.ok("found")))).build()) {
      assertThat(p2.decide(ASK, paying("again"))).isEqualTo(replied("found", true));
      assertThat(p2.decide(ASK, paying("again"))).isEqualTo(replied("found", true));
    }
    assertThat(runs).hasValue(0);
    assertThat(probed).hasSize(1);
    assertThat(probed.get(0).fence()).isEqualTo(fence);
    assertThat(probed.get(0).memo()).isEqualTo("order 4711");
    assertThat(store.unknowns(1)).isEmpty();
  }

  @Test
  void probeThatExcludesItLetsItRunUnderAGreaterFence() {
    died();
    List<Long> fences = new ArrayList<>();
    try (Guard p2 = process().probe(finding(new Finding.CanNoLongerHappen())).build()) {
      Effect noting =
          run -> {
            fences.add(run.fence());
            return Reply.ok("run");
          };
      assertThat(p2.decide(ASK, noting)).isEqualTo(replied("run", false));
      assertThat(p2.decide(ASK, noting)).isEqualTo(replied("run", true));
    }
    assertThat(fences).containsExactly(2L);
  }

  @Test
  void probeThatCannotTellLeavesItUnknown() {
    died();
    try (Guard p2 = process().probe(finding(new Finding.CannotTell())).build()) {
      assertThat(p2.decide(ASK, paying("again"))).isInstanceOf(Ruling.Unknown.class);
      assertThat(p2.decide(ASK, paying("again"))).isInstanceOf(Ruling.Unknown.class);
    }
    assertThat(probed).as("every copy asks again").hasSize(2);
    assertThat(runs).hasValue(0);
  }

  @Test
  void probeThatFailsCannotTell() {
    died();
    Probe failing =
        request -> {
          throw new IOException("nobody there");
        };
    try (Guard p2 = process().probe(failing).build()) {
      assertThat(p2.decide(ASK, paying("again"))).isInstanceOf(Ruling.Unknown.class);
    }
    assertThat(runs).hasValue(0);
  }

  @Test
  void withinTheKeyRetentionOfTheOutsideUnknownIsSimplyRetried() {
    died();
    try (Guard p2 = process().retryUnknownFor(Duration.ofMinutes(5)).build()) {
      assertThat(p2.decide(ASK, paying("again"))).isEqualTo(replied("again", false));
    }
  }

  @Test
  void afterTheKeyRetentionOfTheOutsideUnknownStaysUnknown() {
    died();
    clock.pass(Duration.ofMinutes(5));
    try (Guard p2 = process().retryUnknownFor(Duration.ofMinutes(5)).build()) {
      assertThat(p2.decide(ASK, paying("again"))).isInstanceOf(Ruling.Unknown.class);
    }
    assertThat(runs).hasValue(0);
  }

  @Test
  void retriesDoNotProlongTheKeyRetentionOfTheOutside() {
    died();
    Effect lost =
        run -> {
          runs.incrementAndGet();
          throw new IOException("reply lost");
        };
    try (Guard p2 = process().retryUnknownFor(Duration.ofMinutes(5)).build()) {
      clock.pass(Duration.ofMinutes(3));
      assertThat(p2.decide(ASK, lost)).isInstanceOf(Ruling.Unknown.class);
      clock.pass(Duration.ofMinutes(3));
      assertThat(p2.decide(ASK, lost)).isInstanceOf(Ruling.Unknown.class);
    }
    assertThat(runs).as("the second retry came 7 minutes after the first start").hasValue(1);
  }

  @Test
  void aRetryThatDidNotHappenSaysNothingAboutTheRunBefore() {
    died();
    Effect refused =
        run -> {
          runs.incrementAndGet();
          throw new IOException("connection refused");
        };
    try (Guard p2 =
        process()
            .retryUnknownFor(Duration.ofMinutes(5))
            .classify(any -> Meaning.DID_NOT_HAPPEN)
            .build()) {
      assertThat(p2.decide(ASK, refused)).isInstanceOf(Ruling.Unknown.class);
      clock.pass(Duration.ofMinutes(6));
      assertThat(p2.decide(ASK, refused)).isInstanceOf(Ruling.Unknown.class);
    }
    assertThat(runs).as("the outside may have forgotten its key by then").hasValue(1);
  }

  /** What a probe or an operator has looked into is no earlier run that may have happened. */
  @Test
  void aRunKnowsWhetherAnEarlierOneMayHaveHappened() {
    List<Boolean> told = new ArrayList<>();
    Effect lost =
        run -> {
          told.add(run.earlierMayHaveHappened());
          throw new IOException("reply lost");
        };
    try (Guard first = process().build();
        Guard again = process().retryUnknownFor(Duration.ofMinutes(5)).build();
        Guard knowing = process().probe(finding(new Finding.CanNoLongerHappen())).build()) {
      for (Guard each : List.of(first, again, knowing)) {
        assertThat(each.decide(ASK, lost)).isInstanceOf(Ruling.Unknown.class);
      }
    }
    assertThat(told).containsExactly(false, true, false);
  }

  @Test
  void aRunOfARequestThatWasFreedMeanwhileMayDenyItself() {
    died();
    Probe overtaken =
        request -> {
          store.rerun(ASK, request.fence(), new ClaimTerms(LEASE.toMillis(), 86_400_000));
          store.release(ASK.id(), request.fence() + 1);
          return new Finding.CannotTell();
        };
    try (Guard p2 =
        process()
            .probe(overtaken)
            .retryUnknownFor(Duration.ofMinutes(5))
            .classify(any -> Meaning.DID_NOT_HAPPEN)
            .build()) {
      Effect refused =
          run -> {
            throw new IOException("connection refused");
          };
      assertThat(p2.decide(ASK, refused)).isInstanceOf(Ruling.DidNotHappen.class);
    }
    assertThat(store.unknowns(1)).isEmpty();
  }

  @Test
  void lateTrueCompletionResolvesUnknown() {
    try (Guard p1 = process().build();
        Guard p2 = process().build()) {
      Effect slow =
          run -> {
            clock.pass(LEASE);
            assertThat(p2.decide(ASK, paying("again"))).isInstanceOf(Ruling.Unknown.class);
            return Reply.ok("late but true");
          };
      assertThat(p1.decide(ASK, slow)).isEqualTo(replied("late but true", false));
      assertThat(p2.decide(ASK, paying("again"))).isEqualTo(replied("late but true", true));
      assertThat(store.unknowns(1)).isEmpty();
    }
    assertThat(runs).hasValue(0);
  }

  @Test
  void completionOfARunThatWasGivenAwayIsRefusedAndKeptAsEvidence() {
    try (Guard p1 = process().build();
        Guard p2 = process().probe(finding(new Finding.CanNoLongerHappen())).build()) {
      Effect slow =
          run -> {
            clock.pass(LEASE);
            assertThat(p2.decide(ASK, paying("second"))).isEqualTo(replied("second", false));
            return Reply.ok("first after all");
          };
      Ruling ruling = p1.decide(ASK, slow);
      assertThat(ruling).isInstanceOf(Ruling.Unknown.class);
      assertThat(((Ruling.Unknown) ruling).why()).contains("evidence");
      assertThat(p1.decide(ASK, paying("third"))).isEqualTo(replied("second", true));
    }
    Evidence evidence = store.evidence(ID).get(0);
    assertThat(evidence.fence()).isEqualTo(1);
    assertThat(evidence.reply()).isEqualTo(Reply.ok("first after all"));
  }

  /** P1 wakes inside its effect, after P2 has charged; the outside has seen a greater fence. */
  @Test
  void runThatWakesUpLateIsTurnedAwayByItsFence() {
    class Provider {
      private long greatest;
      private int charges;

      Reply charge(Run run) throws IOException {
        if (run.fence() < greatest) {
          throw new IOException("an older fence");
        }
        greatest = run.fence();
        charges++;
        return Reply.ok("charge " + charges);
      }
    }
    Provider provider = new Provider();
    try (Guard p1 = process().build();
        Guard p2 = process().probe(finding(new Finding.CanNoLongerHappen())).build()) {
      Effect paused =
          run -> {
            clock.pass(LEASE);
            assertThat(p2.decide(ASK, provider::charge)).isEqualTo(replied("charge 1", false));
            return provider.charge(run);
          };
      assertThat(p1.decide(ASK, paused)).isInstanceOf(Ruling.Unknown.class);
      assertThat(p1.decide(ASK, provider::charge)).isEqualTo(replied("charge 1", true));
    }
    assertThat(provider.charges).isEqualTo(1);
  }

  @Test
  void processThatWasPausedPastItsLeaseDoesNotRunTheEffect() {
    Troubled slow = new Troubled(store);
    slow.claims.add(Troubled.Trouble.answerAfter(() -> clock.pass(LEASE)));
    try (Guard p1 = Guard.on(slow).clock(clock).lease(LEASE).build()) {
      Ruling ruling = p1.decide(ASK, paying("too late"));
      assertThat(ruling).isInstanceOf(Ruling.DidNotHappen.class);
      assertThat(((Ruling.DidNotHappen) ruling).cause()).isInstanceOf(LeaseOverException.class);
      assertThat(runs).hasValue(0);
      assertThat(p1.unknowns(1)).isEmpty();
      assertThat(p1.decide(ASK, paying("in time"))).isEqualTo(replied("in time", false));
    }
  }

  @Test
  void processThatWasPausedWhileAnotherTookOverDoesNotRunTheEffect() {
    Troubled slow = new Troubled(store);
    try (Guard p1 = Guard.on(slow).clock(clock).lease(LEASE).build();
        Guard p2 = process().probe(finding(new Finding.CanNoLongerHappen())).build()) {
      slow.claims.add(
          Troubled.Trouble.answerAfter(
              () -> {
                clock.pass(LEASE);
                assertThat(p2.decide(ASK, paying("p2"))).isEqualTo(replied("p2", false));
              }));
      assertThat(p1.decide(ASK, paying("p1"))).isInstanceOf(Ruling.Unknown.class);
      assertThat(p1.decide(ASK, paying("p1"))).isEqualTo(replied("p2", true));
    }
    assertThat(runs).hasValue(1);
  }

  /** A key must not stay stuck in progress in the process whose effect hangs. */
  @ParameterizedTest
  @EnumSource
  void effectThatHangsDoesNotHoldItsIdForEver(ClaimStore.Durability durability) throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch started = new CountDownLatch(1);
    try (Guard guard =
        Guard.on(new Troubled(store, durability))
            .clock(clock)
            .lease(LEASE)
            .probe(finding(new Finding.Happened(Reply.ok("found"))))
            .build()) {
      CompletableFuture<Ruling> first =
          CompletableFuture.supplyAsync(
              () ->
                  guard.decide(
                      ASK,
                      run -> {
                        started.countDown();
                        hanging.await();
                        return Reply.ok("woke up");
                      }));
      started.await();
      clock.pass(LEASE);
      assertThat(guard.decide(ASK, paying("again"))).isEqualTo(replied("found", true));
      hanging.countDown();
      assertThat(first.join()).isInstanceOf(Ruling.Unknown.class);
      assertThat(store.evidence(ID)).hasSize(1);
      assertThat(guard.setup.flights()).isEmpty();
    }
    assertThat(runs).hasValue(0);
  }
}
