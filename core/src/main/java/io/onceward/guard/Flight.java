package io.onceward.guard;

import io.onceward.Fingerprint;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request that is under way in this process: what its twins wait for (G1). Completed with the
 * ruling on the copy that ran, or with null when there is nothing to wait for here any more and the
 * store has to be asked; never with an exception.
 */
final class Flight extends CompletableFuture<@Nullable Ruling> {
  private volatile long leaseEndsNanos;

  /** Written before completion, read after it. */
  private @Nullable Fingerprint fingerprint;

  Flight(long leaseEndsNanos) {
    this.leaseEndsNanos = leaseEndsNanos;
  }

  void prolong(long leaseEndsNanos) {
    this.leaseEndsNanos = leaseEndsNanos;
  }

  /**
   * Until its lease ends. After that only the store can tell what is to become of the request: an
   * effect that hangs must not hold its id for ever.
   */
  long leaseLeftNanos(long now) {
    return leaseEndsNanos - now;
  }

  void land(Ask ran, Ruling ruling) {
    fingerprint = ran.fingerprint();
    complete(ruling);
  }

  /** E4: twins with another fingerprint are no twins, and are judged by the store. */
  boolean askedTheSame(Ask ask) {
    return Objects.equals(fingerprint, ask.fingerprint());
  }
}
