package io.onceward.client;

import io.onceward.Executed;
import io.onceward.RequestId;
import org.jspecify.annotations.Nullable;

/** The question is wrong or not allowed; this copy of it did nothing. */
public final class RejectedException extends OncewardException {
  private static final long serialVersionUID = 1L;

  /**
   * The only copy there was is turned away.
   *
   * @param id of the request that this is about; of it earlier copies may have been sent elsewhere
   */
  RejectedException(String reason, @Nullable RequestId id) {
    this(reason, id == null ? Executed.NEVER : Executed.NOT_THIS_COPY, id);
  }

  private RejectedException(String reason, Executed executed, @Nullable RequestId id) {
    super(reason, executed, false, id, null);
  }

  /** A copy is turned away, and one before it may have had its effect. */
  static RejectedException ofLaterCopy(String reason, @Nullable RequestId id) {
    return new RejectedException(reason, Executed.NOT_THIS_COPY, id);
  }
}
