package io.onceward.client;

import io.onceward.Executed;
import io.onceward.RequestId;
import org.jspecify.annotations.Nullable;

/** The request executed, but its reply was over the limit and is not kept (E9). */
public final class ReplyTooLargeException extends OncewardException {
  private static final long serialVersionUID = 1L;

  ReplyTooLargeException(@Nullable RequestId id) {
    super(
        "the request executed, but its reply was over the limit and nobody has it; read the state"
            + " instead"
            + (id == null ? "" : ", id " + id.print()),
        Executed.YES,
        false,
        id,
        null);
  }
}
