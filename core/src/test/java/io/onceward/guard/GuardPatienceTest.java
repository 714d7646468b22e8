package io.onceward.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceward.Key;
import io.onceward.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One caller may have less time than the guard gives to others. */
@Timeout(60)
class GuardPatienceTest {
  private static final Ask ASK = new Ask(GuardedId.of(Key.text("order 4711")), null, "charge");
  private static final Reply PAID = Reply.ok("paid");

  private final CompletableFuture<Reply> effect = new CompletableFuture<>();

  private void aShortWaitEndsWhileTheEffectStillRuns(ClaimStore store) throws Exception {
    try (Guard guard = Guard.on(store).waitAtMost(Duration.ofDays(1)).build()) {
      CountDownLatch started = new CountDownLatch(1);
      CompletableFuture<Ruling> first =
          guard.decideAsync(
              ASK,
              run -> {
                started.countDown();
                return effect;
              });
      assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(guard.decide(ASK, run -> PAID, Duration.ZERO))
          .isInstanceOf(Ruling.InProgress.class);
      assertThat(guard.decide(ASK, run -> PAID, Duration.ofMillis(20)))
          .isInstanceOf(Ruling.InProgress.class);
      assertThat(
              guard
                  .decideAsync(ASK, run -> effect, Duration.ofMillis(20))
                  .get(30, TimeUnit.SECONDS))
          .isInstanceOf(Ruling.InProgress.class);
      CompletableFuture<Ruling> patient = guard.decideAsync(ASK, run -> effect);
      assertThat(effect.complete(PAID)).isTrue();
      assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(new Ruling.Replied(PAID, false));
      assertThat(patient.get(30, TimeUnit.SECONDS)).isEqualTo(new Ruling.Replied(PAID, true));
    }
  }

  @Test
  void aShortWaitEndsInMemory() throws Exception {
    try (MemoryStore store = MemoryStore.builder().build()) {
      aShortWaitEndsWhileTheEffectStillRuns(store);
    }
  }

  @Test
  void aShortWaitEndsWhereAStoreHasToBeAsked() throws Exception {
    try (MemoryStore store = MemoryStore.builder().build()) {
      aShortWaitEndsWhileTheEffectStillRuns(new Troubled(store));
    }
  }
}
