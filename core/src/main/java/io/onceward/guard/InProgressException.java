package io.onceward.guard;

import java.time.Duration;

/** Another run is under way and did not end while this copy waited. Send it again later. */
public final class InProgressException extends GuardException {
  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  InProgressException(GuardedId id, Ruling.InProgress inProgress) {
    super(
        id,
        inProgress,
        true,
        "the request is running elsewhere; send it again with the same id",
        null);
    retryAfter = inProgress.retryAfter();
  }

  public Duration retryAfter() {
    return retryAfter;
  }
}
