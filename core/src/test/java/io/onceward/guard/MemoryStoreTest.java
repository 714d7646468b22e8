package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.Scope;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is the memory store's own; what all stores share is in the testkit's contract. */
@Timeout(60)
class MemoryStoreTest {
  private static final ClaimTerms HOUR = new ClaimTerms(60_000, 3_600_000);

  private final HandClock clock = new HandClock();

  private static Ask ask(int i) {
    return new Ask(GuardedId.of(Key.text("request " + i)), null, "charge", "memo");
  }

  @Test
  void whatWasTakenIsGivenBackToTheLastByte() {
    MemoryStore store = MemoryStore.builder().clock(clock).sweptByHand().build();
    for (int i = 0; i < 1_000; i++) {
      GuardedId id = ask(i).id();
      store.claim(ask(i), HOUR);
      if (i % 3 == 0) {
        store.unknown(id, 1, "why");
        store.rerun(new Ask(id, null, "charge", "a longer memo"), 1, HOUR);
        store.done(id, 1, Reply.ok("late"));
      }
      if (i % 2 == 0) {
        store.release(id, i % 3 == 0 ? 2 : 1);
        store.claim(ask(i), HOUR);
      }
      long fence = 1L + (i % 3 == 0 ? 1 : 0) + (i % 2 == 0 ? 1 : 0);
      assertThat(store.done(id, fence, Reply.ok("reply " + i))).isTrue();
    }
    assertThat(store.entries()).isEqualTo(1_000);
    assertThat(store.bytes()).isBetween(300_000L, 700_000L);
    clock.pass(Duration.ofHours(1));
    assertThat(store.sweep(2_000)).isEqualTo(1_000);
    assertThat(store.entries()).isZero();
    assertThat(store.bytes()).isZero();
  }

  @Test
  void refusedClaimsTakeNothing() {
    MemoryStore store = MemoryStore.builder().maxEntries(1).clock(clock).sweptByHand().build();
    store.claim(ask(1), HOUR);
    long before = store.bytes();
    assertThat(store.claim(ask(2), HOUR))
        .isEqualTo(new Claimed.Refused(Refusal.OVERLOADED, "maxEntries"));
    assertThat(store.entries()).isEqualTo(1);
    assertThat(store.bytes()).isEqualTo(before);

    MemoryStore narrow = MemoryStore.builder().maxBytes(100_000).clock(clock).sweptByHand().build();
    narrow.claim(ask(1), HOUR);
    long charged = narrow.bytes();
    assertThat(narrow.claim(ask(2), HOUR))
        .isEqualTo(new Claimed.Refused(Refusal.OVERLOADED, "maxBytes"));
    assertThat(narrow.entries()).isEqualTo(1);
    assertThat(narrow.bytes()).isEqualTo(charged);
  }

  @Test
  void releasedRequestThatFindsNoRoomStaysReleased() {
    MemoryStore store = MemoryStore.builder().maxBytes(100_000).clock(clock).sweptByHand().build();
    store.claim(ask(1), HOUR);
    store.release(ask(1).id(), 1);
    store.claim(ask(2), HOUR);
    long before = store.bytes();
    assertThat(store.claim(ask(1), HOUR))
        .isEqualTo(new Claimed.Refused(Refusal.OVERLOADED, "maxBytes"));
    assertThat(store.bytes()).isEqualTo(before);
    store.done(ask(2).id(), 1, Reply.ok("x"));
    assertThat(store.claim(ask(1), HOUR)).isEqualTo(new Claimed.Started(2));
  }

  /** Whoever can make effects fail could otherwise shut everybody out until the next restart. */
  @Test
  void unknownRequestsDoNotTakeTheRoomOfNewOnes() {
    MemoryStore store = MemoryStore.builder().clock(clock).sweptByHand().build();
    Guard guard = Guard.on(store).build();
    for (int i = 0; i < 5_000; i++) {
      Ruling ruling =
          guard.decide(
              ask(i),
              run -> {
                throw new IllegalStateException("no mapping");
              });
      assertThat(ruling).isInstanceOf(Ruling.Unknown.class);
    }
    assertThat(guard.unknowns(10_000)).hasSize(5_000);
    assertThat(store.claim(ask(5_000), HOUR)).isEqualTo(new Claimed.Started(1));
  }

  /** An effect that hangs holds its room until its lease ends, and no longer. */
  @Test
  void lapsedRequestsGiveTheirRoomBack() {
    MemoryStore store = MemoryStore.builder().maxBytes(1 << 20).clock(clock).sweptByHand().build();
    int room = 0;
    while (store.claim(ask(room), HOUR) instanceof Claimed.Started) {
      room++;
    }
    assertThat(room).isBetween(10, 16);
    clock.pass(Duration.ofMinutes(2));
    assertThat(store.claim(ask(room), HOUR)).isEqualTo(new Claimed.Started(1));
    assertThat(store.unknowns(100)).hasSize(room);
  }

  @Test
  void thePrincipalWithTheUnknownRequestsIsRefusedAndNobodyElse() {
    MemoryStore store = MemoryStore.builder().maxEntries(100).clock(clock).sweptByHand().build();
    store.claim(asking("alice", 0), HOUR);
    store.unknown(asking("alice", 0).id(), 1, "why");
    int failures = 0;
    while (store.claim(asking("mallory", failures), HOUR) instanceof Claimed.Started) {
      store.unknown(asking("mallory", failures++).id(), 1, "why");
    }
    assertThat(failures).isBetween(45, 55);
    assertThat(store.claim(asking("mallory", 100), HOUR))
        .isEqualTo(new Claimed.Refused(Refusal.OVERLOADED, "unknown requests"));
    for (int i = 1; i < 20; i++) {
      assertThat(store.claim(asking("alice", i), HOUR)).isEqualTo(new Claimed.Started(1));
      assertThat(store.claim(asking("bob", i), HOUR)).isEqualTo(new Claimed.Started(1));
    }
    assertThat(store.done(asking("mallory", 0).id(), 1, Reply.ok("found"))).isTrue();
    assertThat(store.release(asking("mallory", 1).id(), 1)).isTrue();
    for (int i = 2; i < failures; i++) {
      assertThat(store.rerun(asking("mallory", i), 1, HOUR)).isEqualTo(new Claimed.Started(2));
    }
    assertThat(store.claim(asking("mallory", 1), HOUR)).isEqualTo(new Claimed.Started(2));
  }

  private static Ask asking(String principal, int i) {
    Key key = Key.text("request " + i);
    return new Ask(new GuardedId(principal, Scope.NONE, key), null, "charge");
  }

  /** Nothing was reserved for it, and it must not be lost to a store that is only full. */
  @Test
  void lateReplyMayPassTheLimitByAnEighth() {
    MemoryStore store = MemoryStore.builder().maxBytes(1 << 20).clock(clock).sweptByHand().build();
    for (int i = 0; i < 200; i++) {
      store.claim(ask(i), HOUR);
      store.unknown(ask(i).id(), 1, "why");
    }
    int room = 1_000;
    while (store.claim(ask(room), HOUR) instanceof Claimed.Started) {
      room++;
    }
    Reply large = Reply.ok(Bytes.of(new byte[60_000]));
    assertThat(store.done(ask(0).id(), 1, large)).isTrue();
    assertThat(store.done(ask(1).id(), 1, large)).isTrue();
    assertThat(store.bytes()).isGreaterThan(1 << 20);
    assertThatThrownBy(
            () -> {
              for (int i = 2; i < 200; i++) {
                store.done(ask(i).id(), 1, large);
              }
            })
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("maxBytes");
    assertThat(store.bytes()).isLessThanOrEqualTo((1 << 20) + (1 << 17));
    assertThat(store.claim(ask(0), HOUR)).isEqualTo(new Claimed.Done(large));
    assertThat(store.claim(ask(199), HOUR)).isInstanceOf(Claimed.Unknown.class);
  }

  @Test
  void fullStoreSweepsBeforeItRefuses() {
    MemoryStore store = MemoryStore.builder().maxEntries(1).clock(clock).sweptByHand().build();
    store.claim(ask(1), HOUR);
    store.done(ask(1).id(), 1, Reply.ok("x"));
    clock.pass(Duration.ofHours(1));
    assertThat(store.claim(ask(2), HOUR)).isInstanceOf(Claimed.Started.class);
  }

  @Test
  void replyThatIsASliceOfAMuchLargerArrayDoesNotKeepTheArray() {
    MemoryStore store = MemoryStore.builder().clock(clock).sweptByHand().build();
    byte[] large = new byte[1 << 20];
    store.claim(ask(1), HOUR);
    store.done(ask(1).id(), 1, Reply.ok(Bytes.of(large, 10, 20)));
    java.util.Arrays.fill(large, (byte) 1);
    assertThat(store.claim(ask(1), HOUR))
        .isEqualTo(new Claimed.Done(Reply.ok(Bytes.of(new byte[20]))));
  }

  @Test
  void replyOverTheLimitIsNotTaken() {
    MemoryStore store = MemoryStore.builder().maxReplyBytes(10).sweptByHand().build();
    store.claim(ask(1), HOUR);
    Reply large = Reply.ok(Bytes.of(new byte[11]));
    assertThatThrownBy(() -> store.done(ask(1).id(), 1, large))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("10 bytes");
  }

  @Test
  void differentRetentionsEndEachAtItsTime() {
    MemoryStore store = MemoryStore.builder().clock(clock).sweptByHand().build();
    for (int i = 0; i < 100; i++) {
      store.claim(ask(i), new ClaimTerms(60_000, 1_000L * (1 + i % 5)));
      store.done(ask(i).id(), 1, Reply.ok("x"));
    }
    for (int second = 1; second <= 5; second++) {
      clock.pass(Duration.ofSeconds(1));
      assertThat(store.sweep(1_000)).isEqualTo(20);
    }
  }

  @Test
  void setWallClockEndsNothing() {
    MemoryStore store = MemoryStore.builder().clock(clock).sweptByHand().build();
    store.claim(ask(1), HOUR);
    store.claim(ask(2), HOUR);
    store.done(ask(2).id(), 1, Reply.ok("x"));
    clock.setWall(Duration.ofDays(365));
    assertThat(store.sweep(10)).isZero();
    assertThat(store.claim(ask(1), HOUR)).isInstanceOf(Claimed.Running.class);
  }

  @Test
  void idsThatCollideAreStillFoundFast() {
    MemoryStore store = MemoryStore.builder().maxBytes(1L << 40).clock(clock).sweptByHand().build();
    for (int i = 0; i < 20_000; i++) {
      // high * 31 + low is the same for all of them.
      Key key = Key.of(Key.Kind.HASH, i, -31L * i & 0xffff_ffffL);
      Ask ask = new Ask(GuardedId.of(key), null, "charge");
      assertThat(store.claim(ask, HOUR)).isEqualTo(new Claimed.Started(1));
      assertThat(store.done(ask.id(), 1, Reply.ok("x"))).isTrue();
    }
  }

  @Test
  void sweepThreadDropsWhatIsDueAndEndsWithTheStore() {
    MemoryStore store = MemoryStore.builder().build();
    store.claim(ask(1), new ClaimTerms(60_000, 1));
    store.done(ask(1).id(), 1, Reply.ok("x"));
    while (store.entries() > 0) {
      Thread.onSpinWait();
    }
    store.close();
    Claimed claimed = store.claim(ask(1), new ClaimTerms(60_000, 1));
    long fence = ((Claimed.Started) claimed).fence();
    assertThat(store.done(ask(1).id(), fence, Reply.ok("after the end"))).isTrue();
  }

  /** A reply that is being dropped is looked for without a lock, by copies that ask for another. */
  @Test
  void aGlanceShowsNoReplyToAnotherPayloadWhileItIsDropped() throws Exception {
    MemoryStore store = MemoryStore.builder().clock(clock).sweptByHand().build();
    int rounds = 20_000;
    for (int i = 0; i < rounds; i++) {
      store.claim(asking(i, 1), HOUR);
      store.done(asking(i, 1).id(), 1, Reply.ok("secret"));
    }
    AtomicInteger glancing = new AtomicInteger(-1);
    CompletableFuture<Void> taken =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < rounds; i++) {
                GuardedId id = asking(i, 1).id();
                while (glancing.get() < i) {
                  Thread.onSpinWait();
                }
                store.acknowledge(id);
              }
            });
    for (int i = 0; i < rounds; i++) {
      Ask other = asking(i, 2);
      Claimed glance = store.glance(other);
      glancing.set(i);
      while (glance != null) {
        assertThat(glance).isEqualTo(new Claimed.Refused(Refusal.MISMATCH));
        glance = store.glance(other);
      }
    }
    taken.join();
  }

  private static Ask asking(int i, long fingerprint) {
    return new Ask(ask(i).id(), new Fingerprint(fingerprint), "charge", "memo");
  }
}
