package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OneAtATimeTest {
  @Test
  void allWhoAskBeforeARunBeginsShareIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    OneAtATime<Integer> work =
        new OneAtATime<>(
            "test",
            10_000,
            () -> {
              int run = runs.incrementAndGet();
              begun.countDown();
              try {
                released.await();
              } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
              }
              return run;
            });
    CompletableFuture<Integer> first = work.ask();
    begun.await();
    List<CompletableFuture<Integer>> others = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      others.add(work.ask());
    }
    assertThat(first).isNotDone();
    released.countDown();
    assertThat(first.get()).isEqualTo(1);
    for (CompletableFuture<Integer> other : others) {
      assertThat(other.get()).isEqualTo(2);
    }
    assertThat(work.ask().get()).isEqualTo(3);
  }

  @Test
  void problemIsReportedToItsAskersAndTheNextRunGoesOn() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    OneAtATime<Integer> work =
        new OneAtATime<>(
            "test",
            10_000,
            () -> {
              if (runs.incrementAndGet() == 1) {
                throw new StackOverflowError();
              }
              return runs.get();
            });
    assertThatThrownBy(() -> work.ask().get()).hasCauseInstanceOf(StackOverflowError.class);
    assertThat(work.ask().get()).isEqualTo(2);
  }
}
