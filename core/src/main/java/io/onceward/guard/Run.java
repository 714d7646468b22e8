package io.onceward.guard;

import java.time.Duration;

/**
 * One run of an effect: what it may hand to the outside.
 *
 * @param id of the request
 * @param fence grows with each re-run of the same request; an outside system that remembers the
 *     greatest it has seen can turn away an earlier run that wakes up late (G3). A first run may
 *     have any
 * @param timeLeft until the lease ends; the effect's own time-out has to be shorter
 * @param earlierMayHaveHappened whether nobody knows what became of an earlier run of the same
 *     request, which may still be at work: this one runs only because the outside would notice (G4)
 */
public record Run(GuardedId id, long fence, Duration timeLeft, boolean earlierMayHaveHappened) {
  /** What to send as the outside system's idempotency key (G4). */
  public String idempotencyKey() {
    return id.idempotencyKey();
  }
}
