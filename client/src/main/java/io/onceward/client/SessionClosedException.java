package io.onceward.client;

import io.onceward.Executed;

/** The session, or the whole client, was closed before this was asked; nothing was sent. */
public final class SessionClosedException extends OncewardException {
  private static final long serialVersionUID = 1L;

  SessionClosedException(String what) {
    super(
        what + " is closed; nothing was sent, open another one", Executed.NEVER, false, null, null);
  }
}
