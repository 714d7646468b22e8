package io.onceward.server.engine.ratis;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Waits for answers of a follower to pieces of a snapshot. If it is away, or dies on the way, Ratis
 * would have the next piece wait for the answers to those before it until their time has run out,
 * although it knows better: meanwhile a follower that came back would hear nothing.
 *
 * <p>What Ratis knows is that some call failed, not which. That may have been an earlier attempt,
 * which was given up and is only now reported as cancelled. So a failure alone means nothing: the
 * follower has some time to prove that it is there. Else one attempt after the other would be given
 * up because of the one before it.
 */
final class FollowerAnswers {
  static final long NANOS_TO_ANSWER = TimeUnit.SECONDS.toNanos(2);
  private static final long LOOK_MILLIS = 5;

  private final LongSupplier clock;
  private final LongSupplier nanosSinceLast;
  private final IntSupplier newFailures;
  private final BooleanSupplier goesOn;

  /**
   * @param clock in nanoseconds, of which moments are
   * @param nanosSinceLast how long ago the follower answered anything
   * @param newFailures more than 0 if calls failed since the last time that this was asked
   * @param goesOn whether anybody still wants the answers
   */
  FollowerAnswers(
      LongSupplier clock,
      LongSupplier nanosSinceLast,
      IntSupplier newFailures,
      BooleanSupplier goesOn) {
    this.clock = clock;
    this.nanosSinceLast = nanosSinceLast;
    this.newFailures = newFailures;
    this.goesOn = goesOn;
  }

  /**
   * Waits for any that is younger than a moment.
   *
   * @throws IllegalStateException if a call failed and no answer came, or nobody wants any more
   */
  void awaitSince(long moment) {
    boolean failed = false;
    long failedAt = 0;
    while (nanosSinceLast.getAsLong() >= clock.getAsLong() - moment) {
      if (newFailures.getAsInt() > 0 && !failed) {
        failed = true;
        failedAt = clock.getAsLong();
      }
      if (!goesOn.getAsBoolean() || failed && clock.getAsLong() - failedAt > NANOS_TO_ANSWER) {
        throw new IllegalStateException("the follower is away");
      }
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException stopping) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", stopping);
      }
    }
  }
}
