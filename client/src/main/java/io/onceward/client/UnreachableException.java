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
    this(message, Executed.NOT_THIS_COPY, id);
  }

  private UnreachableException(String message, Executed executed, @Nullable RequestId id) {
    super(message, executed, true, id, null);
  }

  /**
   * No copy left this process.
   *
   * @param id of the request that this is about; of it earlier copies may have been sent elsewhere
   */
  static UnreachableException neverSent(String message, @Nullable RequestId id) {
    return new UnreachableException(
        message, id == null ? Executed.NEVER : Executed.NOT_THIS_COPY, id);
  }
}
