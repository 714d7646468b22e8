package io.onceward.client;

import io.onceward.Executed;
import io.onceward.RequestId;
import org.jspecify.annotations.Nullable;

/** The service failed unexpectedly: the request executed, perhaps in part (E8). */
public final class FailedException extends OncewardException {
  private static final long serialVersionUID = 1L;

  FailedException(@Nullable RequestId id) {
    super(
        "the service failed inside the request; it executed, perhaps in part, and is not run again"
            + (id == null ? "" : ", id " + id.print()),
        Executed.YES,
        false,
        id,
        null);
  }
}
