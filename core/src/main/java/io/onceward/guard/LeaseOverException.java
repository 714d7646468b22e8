package io.onceward.guard;

/**
 * The lease was over before the effect began, because the process was paused or the store slow. The
 * effect was not run.
 */
public final class LeaseOverException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  LeaseOverException(GuardedId id) {
    super("the lease of " + id.key() + " was over before its effect began; it was not run");
  }
}
