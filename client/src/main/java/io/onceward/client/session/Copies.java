package io.onceward.client.session;

import io.onceward.client.session.SessionRequest.State;

/** Counts the copies of a session's requests and knows when to look after them again. */
final class Copies {
  private final Pace pace;
  private final SessionActions actions;
  private long wakeMillis = Long.MAX_VALUE;

  Copies(Pace pace, SessionActions actions) {
    this.pace = pace;
    this.actions = actions;
  }

  /** When something may be due; never too late, sometimes too early. */
  long wakeMillis() {
    return wakeMillis;
  }

  void wakeBy(long millis) {
    if (millis < wakeMillis) {
      wakeMillis = millis;
    }
  }

  /** Everything will be looked at now; whoever has more to come says so again. */
  void awake() {
    wakeMillis = Long.MAX_VALUE;
  }

  /** One more copy is under way. */
  int next(SessionRequest request, long nowMillis) {
    request.state = State.ASKED;
    request.atMillis = nowMillis;
    wakeBy(request.dueMillis(pace));
    return ++request.copies;
  }

  boolean isDue(SessionRequest request, long nowMillis) {
    long due = request.dueMillis(pace);
    if (due <= nowMillis) {
      return true;
    }
    wakeBy(due);
    return false;
  }

  /**
   * This copy did nothing, or nobody knows; the same request is sent again after the delay (C1). If
   * it is not the latest copy, one that may fare better is under way already.
   */
  void turnedAway(SessionRequest request, int copy, long nowMillis) {
    if (request.state == State.ASKED && copy == request.copies) {
      request.state = State.RESTING;
      request.atMillis = nowMillis + pace.retryDelayMillis() + actions.jitterMillis();
      wakeBy(request.atMillis);
    }
  }
}
