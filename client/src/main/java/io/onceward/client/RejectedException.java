package io.onceward.client;

import io.onceward.Executed;
import io.onceward.RequestId;
import org.jspecify.annotations.Nullable;

/** The question is wrong or not allowed; it did nothing and never will. */
public final class RejectedException extends OncewardException {
  private static final long serialVersionUID = 1L;

  RejectedException(String reason, @Nullable RequestId id) {
    super(reason, Executed.NEVER, false, id, null);
  }
}
