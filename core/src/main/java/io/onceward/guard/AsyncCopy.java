package io.onceward.guard;

import io.onceward.Reply;
import io.onceward.guard.Copy.Step;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Drives a {@link Copy} from callback to callback, holding no thread while it waits. The future it
 * hands out is only told: whoever cancels it stops nothing.
 */
final class AsyncCopy {
  private final Guard guard;
  private final Workers workers;
  private final Ask ask;
  private final AsyncEffect effect;
  private final long began;
  private final Copy copy;
  private final CompletableFuture<Ruling> promise = new CompletableFuture<>();

  AsyncCopy(Guard guard, GuardSetup setup, Ask ask, AsyncEffect effect, long began) {
    this.guard = guard;
    this.workers = guard.workers;
    this.ask = ask;
    this.effect = effect;
    this.began = began;
    copy = new Copy(setup, ask);
  }

  CompletableFuture<Ruling> begin() {
    workers.begin();
    workers.execute(() -> drive(copy::next));
    return promise;
  }

  /** Takes a step and arranges for the next. */
  private void drive(Supplier<Step> step) {
    try {
      switch (step.get()) {
        case RUN -> {
          var unused =
              run()
                  .whenCompleteAsync(
                      (reply, failure) -> drive(() -> copy.ended(reply, failure)), workers);
        }
        case AWAIT_TWIN -> {
          var unused =
              copy.twin()
                  .copy()
                  .completeOnTimeout(null, copy.patienceNanos(), TimeUnit.NANOSECONDS)
                  .whenCompleteAsync(
                      (theirs, never) -> drive(() -> copy.heard(theirs)), workers.forTwins());
        }
        case AGAIN ->
            CompletableFuture.delayedExecutor(
                    guard.setup.pollEvery().toNanos(), TimeUnit.NANOSECONDS, workers)
                .execute(() -> drive(copy::next));
        case RULED -> {
          workers.end();
          guard.heard(ask, copy.ruling(), began);
          if (copy.error() != null) {
            promise.completeExceptionally(copy.error());
          } else {
            promise.complete(copy.ruling());
          }
        }
      }
    } catch (Throwable failure) {
      copy.crash(failure);
      workers.end();
      promise.completeExceptionally(failure);
    }
  }

  /** What the effect throws at once is an answer like any other. */
  private CompletionStage<Reply> run() {
    try {
      CompletionStage<Reply> stage = effect.run(copy.run());
      return stage != null ? stage : CompletableFuture.completedFuture(null);
    } catch (Throwable failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }
}
