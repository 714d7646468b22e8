package io.onceward.client.session;

import io.onceward.ClientKind;
import io.onceward.client.session.SessionRequest.State;
import io.onceward.wire.Timing;

/** Counts the copies of a session's requests and knows when to look after them again. */
final class Copies {
  private final Pace pace;
  private final ClientKind kind;
  private final SessionActions actions;
  private Timing timing = Timing.INITIAL;
  private long wakeMillis = Long.MAX_VALUE;

  Copies(Pace pace, ClientKind kind, SessionActions actions) {
    this.pace = pace;
    this.kind = kind;
    this.actions = actions;
  }

  /** What the cluster expects of idle sessions from now on. */
  void follow(Timing timing) {
    this.timing = timing;
  }

  /** How long the session may be idle before the cluster forgets it. */
  long expiryMillis() {
    return timing.expiryMillis(kind);
  }

  /** After how long without anything applied the session says that it is there. */
  long keepAliveMillis() {
    return pace.keepAliveMillis(timing, kind);
  }

  private long dueMillis(SessionRequest request) {
    return request.dueMillis(pace, timing.keepAliveMillis());
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
    wakeBy(dueMillis(request));
    return ++request.copies;
  }

  boolean isDue(SessionRequest request, long nowMillis) {
    long due = dueMillis(request);
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
