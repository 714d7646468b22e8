package io.onceward.testkit.audit;

import io.onceward.Key;
import io.onceward.replica.Request;
import org.jspecify.annotations.Nullable;

/** The name of one logical request, beside the principal that asks it. */
public sealed interface Id {

  /**
   * A request of a session.
   *
   * @param incarnation tells apart the lives of an auto session, whose sequences begin anew with
   *     each; 0 for the other kinds, whose incarnations share their sequences
   */
  record InSession(long session, long incarnation, long sequence) implements Id {}

  /** A request under a key. */
  record Keyed(String scope, Key key) implements Id {}

  /** The id that a request is about, or null if it is about none. */
  static @Nullable Id of(@Nullable Request request, SessionFacts sessions) {
    if (request instanceof Request.InSession ask) {
      return sessions.id(ask.address(), ask.sequence());
    }
    if (request instanceof Request.AbandonSequence ask) {
      return sessions.id(ask.address(), ask.sequence());
    }
    if (request instanceof Request.Keyed ask) {
      return new Keyed(ask.scope().name(), ask.key());
    }
    if (request instanceof Request.AbandonKey ask) {
      return new Keyed(ask.scope().name(), ask.key());
    }
    return null;
  }
}
