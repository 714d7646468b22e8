package io.onceward.client;

import io.onceward.Executed;
import io.onceward.RequestId;
import org.jspecify.annotations.Nullable;

/** The session, or the whole client, was closed before this was asked; nothing was sent now. */
public final class SessionClosedException extends OncewardException {
  private static final long serialVersionUID = 1L;

  SessionClosedException(String what) {
    this(what, null);
  }

  /**
   * Nothing is sent any more.
   *
   * @param id of the request that this is about; of it copies may have been sent before
   */
  SessionClosedException(String what, @Nullable RequestId id) {
    super(
        what + " is closed; nothing was sent, open another one",
        id == null ? Executed.NEVER : Executed.NOT_THIS_COPY,
        false,
        id,
        null);
  }
}
