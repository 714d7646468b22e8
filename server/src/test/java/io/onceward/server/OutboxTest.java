package io.onceward.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class OutboxTest {
  private final List<Throwable> problems = new ArrayList<>();
  private final Outbox outbox = new Outbox(problems::add);
  private final List<Integer> ran = new ArrayList<>();

  @Test
  void whatAnActionAddsRunsAfterIt() {
    outbox.add(
        () -> {
          outbox.add(() -> ran.add(2));
          outbox.drain();
          ran.add(1);
        });
    outbox.drain();
    assertThat(ran).containsExactly(1, 2);
  }

  @Test
  void aProblemIsToldAndTheRestGoesOn() {
    outbox.add(
        () -> {
          throw new IllegalStateException("broken");
        });
    outbox.add(() -> ran.add(1));
    outbox.drain();
    assertThat(ran).containsExactly(1);
    assertThat(problems).hasSize(1);
  }

  @Test
  void errorIsReportedAndTheRestGoesOn() {
    outbox.add(
        () -> {
          throw new StackOverflowError();
        });
    outbox.add(() -> ran.add(1));
    outbox.drain();
    outbox.add(() -> ran.add(2));
    outbox.drain();
    assertThat(ran).containsExactly(1, 2);
    assertThat(problems).hasSize(1).first().isInstanceOf(StackOverflowError.class);
  }

  @Test
  void reportThatFailsDoesNotStopTheRest() {
    Outbox unlucky =
        new Outbox(
            problem -> {
              throw new OutOfMemoryError();
            });
    unlucky.add(
        () -> {
          throw new IllegalStateException("broken");
        });
    unlucky.add(() -> ran.add(1));
    unlucky.drain();
    assertThat(ran).containsExactly(1);
  }

  @Test
  void manyThreadsRunEveryActionOnceAndNeverTwoAtATime() throws InterruptedException {
    int threads = 4;
    int each = 20_000;
    int[] count = {0};
    CountDownLatch done = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  outbox.add(() -> count[0]++);
                  outbox.drain();
                }
                done.countDown();
              });
      thread.start();
    }
    done.await();
    outbox.drain();
    assertThat(count[0]).isEqualTo(threads * each);
  }
}
