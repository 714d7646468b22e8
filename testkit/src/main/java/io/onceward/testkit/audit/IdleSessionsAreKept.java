package io.onceward.testkit.audit;

import io.onceward.testkit.audit.Events.Idled;

/**
 * A session is not forgotten because it has nothing to do, as long as its client is there: not even
 * when an administrator makes keep-alive and expiry so short that a client which keeps its old pace
 * would come too late (S7, C3).
 */
public final class IdleSessionsAreKept extends Invariant {
  @Override
  protected void idled(Idled session) {
    check(session.kept(), "an idle session was forgotten although its client is there", session);
  }
}
