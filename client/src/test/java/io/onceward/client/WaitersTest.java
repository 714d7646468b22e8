package io.onceward.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WaitersTest {
  private final Waiters<CompletableFuture<String>> waiters = new Waiters<>();

  @Test
  void thoseWhoStoppedWaitingAreForgotten_C2() {
    for (int i = 0; i < 10_000; i++) {
      CompletableFuture<String> impatient = new CompletableFuture<>();
      waiters.add(impatient);
      impatient.cancel(false);
      assertThat(waiters.all()).hasSizeLessThan(10);
    }
  }

  @Test
  void allWhoWaitAreKeptInTheirOrder() {
    List<CompletableFuture<String>> patient = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      CompletableFuture<String> waiter = new CompletableFuture<>();
      patient.add(waiter);
      waiters.add(waiter);
      waiters.add(CompletableFuture.completedFuture("gone"));
    }
    assertThat(waiters.all()).containsSubsequence(patient);
    assertThat(waiters.all()).hasSizeLessThan(2_100);
  }
}
