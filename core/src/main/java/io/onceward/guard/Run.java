package io.onceward.guard;

import java.time.Duration;

/**
 * One run of an effect: what it may hand to the outside.
 *
 * @param id of the request
 * @param fence grows with each re-run of the same request; an outside system that remembers the
 *     greatest it has seen can turn away an earlier run that wakes up late (G3)
 * @param timeLeft until the lease ends; the effect's own time-out has to be shorter
 */
public record Run(GuardedId id, long fence, Duration timeLeft) {
  /** What to send as the outside system's idempotency key (G4). */
  public String idempotencyKey() {
    return id.idempotencyKey();
  }
}
