package io.onceward.client;

import io.onceward.Executed;
import io.onceward.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * No node answered in time. What was asked changes nothing, or was never sent: if anything that
 * changes something was sent, {@link OutcomeUnknownException} says so.
 */
public final class UnreachableException extends OncewardException {
  private static final long serialVersionUID = 1L;

  UnreachableException(String message, @Nullable RequestId id) {
    super(message, Executed.NOT_THIS_COPY, true, id, null);
  }
}
