package io.onceward.guard;

import io.onceward.Fingerprint;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request that is under way in this process: what its twins wait for (G1). It is completed with
 * the ruling on the copy that leads it, and never with an exception.
 */
final class Flight extends CompletableFuture<Ruling> {
  private final @Nullable Fingerprint fingerprint;
  private volatile long leaseEndsNanos;

  Flight(@Nullable Fingerprint fingerprint, long leaseEndsNanos) {
    this.fingerprint = fingerprint;
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

  /** E4: twins with another fingerprint are no twins, and are judged by the store. */
  boolean asksTheSame(Ask ask) {
    return Objects.equals(fingerprint, ask.fingerprint());
  }
}
