package io.onceward.server.engine.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FollowerAnswersTest {
  private final AtomicLong now = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicBoolean goesOn = new AtomicBoolean(true);
  private final FollowerAnswers answers =
      new FollowerAnswers(now::get, () -> now.get() - answered.get(), this::failures, goesOn::get);

  private int failures() {
    looks.incrementAndGet();
    return failures.getAndSet(0);
  }

  private CompletableFuture<Void> awaiting() {
    long moment = now.get();
    return CompletableFuture.runAsync(() -> answers.awaitSince(moment));
  }

  /** Time passes, and who waits sees that. */
  private void pass(long nanos) {
    now.addAndGet(nanos);
    int before = looks.get();
    TestCluster.await("a look", () -> looks.get() > before + 1);
  }

  private void answer() {
    answered.set(now.incrementAndGet());
  }

  /** The cancellation of the attempt before is told late, again and again. */
  @Test
  void whoAnswersIsThereWhateverFailed() throws Exception {
    for (int attempt = 0; attempt < 3; attempt++) {
      CompletableFuture<Void> waiting = awaiting();
      failures.incrementAndGet();
      pass(1);
      pass(FollowerAnswers.NANOS_TO_ANSWER - 1);
      assertThat(waiting).isNotDone();
      answer();
      waiting.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void whoFailsAndDoesNotAnswerIsAway() {
    CompletableFuture<Void> waiting = awaiting();
    failures.incrementAndGet();
    pass(1);
    now.addAndGet(FollowerAnswers.NANOS_TO_ANSWER + 1);
    assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("the follower is away");
  }

  @Test
  void whoIsSlowAndDoesNotFailIsWaitedFor() throws Exception {
    CompletableFuture<Void> waiting = awaiting();
    pass(10 * FollowerAnswers.NANOS_TO_ANSWER);
    assertThat(waiting).isNotDone();
    answer();
    waiting.get(10, TimeUnit.SECONDS);
  }

  @Test
  void nobodyWaitsForALeaderThatLeadsNoMore() {
    goesOn.set(false);
    assertThatThrownBy(() -> awaiting().get(10, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(IllegalStateException.class);
  }
}
