package io.onceward.client.session;

import io.onceward.client.session.SessionRequest.Kind;
import io.onceward.client.session.SessionRequest.State;
import io.onceward.replica.Request;

/**
 * The requests of an open session on their way: which may be sent, which must be sent again, how
 * far the watermark is, and whether the session has to say that it is still there (C3).
 *
 * <p>Copies leave in sequence order, within the window, and never before their journal record is on
 * disk.
 */
final class Pipeline {
  private final SessionActions actions;
  private final Copies copies;
  private final Request.Address address;
  private final int window;
  private final boolean ordered;
  private final RequestRing ring;
  private final SessionRequest keepAlive = new SessionRequest(Kind.KEEP_ALIVE);

  /** Everything below was sent at least once, or is finished. */
  private long unsent;

  /** The log has this watermark or a higher one. */
  private long toldWatermark;

  private long appliedMillis;
  private long syncedMark;
  private int deadlines;

  Pipeline(
      SessionActions actions,
      Copies copies,
      Request.Address address,
      int window,
      boolean ordered,
      RequestRing ring,
      long toldWatermark,
      long nowMillis) {
    this.actions = actions;
    this.copies = copies;
    this.address = address;
    this.window = window;
    this.ordered = ordered;
    this.ring = ring;
    this.unsent = ring.watermark();
    this.toldWatermark = toldWatermark;
    this.appliedMillis = nowMillis;
    copies.wakeBy(nowMillis + copies.keepAliveMillis());
  }

  SessionRequest keepAlive() {
    return keepAlive;
  }

  int window() {
    return window;
  }

  boolean isOrdered() {
    return ordered;
  }

  /** Whether requests wait because the watermark is too far behind. */
  boolean isFull() {
    return unsent >= ring.watermark() + window;
  }

  // ---- what becomes known ---------------------------------------------------------------------

  void add(SessionRequest request, long deadlineMillis, long nowMillis) {
    ring.add(request);
    if (deadlineMillis != Long.MAX_VALUE) {
      request.deadlineMillis = deadlineMillis;
      deadlines++;
      copies.wakeBy(deadlineMillis);
    }
    sendMore(nowMillis);
  }

  /** The log applied this request, and with it the watermark that it carried. */
  void applied(SessionRequest request, long nowMillis) {
    appliedMillis = nowMillis;
    toldWatermark = Math.max(toldWatermark, request.carriedWatermark);
  }

  void keptAlive(int copy, long nowMillis) {
    appliedMillis = nowMillis;
    if (copy == keepAlive.copies) {
      toldWatermark = Math.max(toldWatermark, keepAlive.carriedWatermark);
      keepAlive.state = State.WAITING;
      copies.wakeBy(nowMillis + copies.keepAliveMillis());
    }
  }

  void decided(SessionRequest request, boolean done, long nowMillis) {
    request.state = done ? State.DONE : State.DECIDED;
    if (request.deadlineMillis != Long.MAX_VALUE) {
      request.deadlineMillis = Long.MAX_VALUE;
      deadlines--;
    }
    if (done && request.sequence == ring.watermark()) {
      pass(nowMillis);
    }
  }

  /** The journal is on disk up to this mark. */
  void synced(long mark, long nowMillis) {
    syncedMark = mark;
    for (long sequence = ring.watermark(); sequence < unsent; sequence++) {
      SessionRequest request = ring.get(sequence);
      if (request != null && request.state == State.DECIDED && request.mark <= mark) {
        request.state = State.DONE;
      }
    }
    pass(nowMillis);
  }

  private void pass(long nowMillis) {
    ring.pass();
    unsent = Math.max(unsent, ring.watermark());
    sendMore(nowMillis);
  }

  // ---- sending --------------------------------------------------------------------------------

  /** Sends what was never sent, as far as window and journal allow. */
  void sendMore(long nowMillis) {
    long end = Math.min(ring.next(), ring.watermark() + window);
    while (unsent < end) {
      SessionRequest request = ring.get(unsent);
      if (request != null && request.state == State.WAITING) {
        if (request.mark > syncedMark) {
          return;
        }
        send(request, nowMillis);
      }
      unsent++;
    }
  }

  /** Sends all that is under way again, at once and in order (C4). */
  void rerouted(long nowMillis) {
    for (long sequence = ring.watermark(); sequence < unsent; sequence++) {
      SessionRequest request = ring.get(sequence);
      if (request != null && request.isOut()) {
        send(request, nowMillis);
      }
    }
    if (keepAlive.isOut() && keepAlive.atMillis != nowMillis) {
      sendKeepAlive(nowMillis);
    }
  }

  void tick(long nowMillis) {
    if (deadlines > 0) {
      endWaits(nowMillis);
    }
    sweep(nowMillis);
    boolean idle =
        keepAlive.state == State.WAITING && nowMillis - appliedMillis >= copies.keepAliveMillis();
    if (idle || copies.isDue(keepAlive, nowMillis)) {
      sendKeepAlive(nowMillis);
    }
    planKeepAlive();
  }

  private void planKeepAlive() {
    if (keepAlive.state == State.WAITING) {
      copies.wakeBy(appliedMillis + copies.keepAliveMillis());
    }
  }

  /** The cluster expects another pace: the next keep-alive may be due sooner, or now. */
  void timingChanged(long nowMillis) {
    planKeepAlive();
    if (copies.isDue(keepAlive, nowMillis)) {
      copies.wakeBy(nowMillis);
    }
  }

  private void endWaits(long nowMillis) {
    for (long sequence = ring.watermark(); sequence < ring.next(); sequence++) {
      SessionRequest request = ring.get(sequence);
      if (request == null || request.deadlineMillis == Long.MAX_VALUE) {
        continue;
      }
      if (request.deadlineMillis <= nowMillis) {
        request.deadlineMillis = Long.MAX_VALUE;
        deadlines--;
        actions.waitEnded(request);
      } else {
        copies.wakeBy(request.deadlineMillis);
      }
    }
  }

  /**
   * Sends again what is due, in sequence order. In an ordered session everything below that rests
   * goes along: a copy that arrives before its predecessors is only turned away again (S6).
   */
  private void sweep(long nowMillis) {
    long top = 0;
    for (long sequence = ring.watermark(); sequence < unsent; sequence++) {
      SessionRequest request = ring.get(sequence);
      if (request != null && copies.isDue(request, nowMillis)) {
        top = sequence;
      }
    }
    for (long sequence = ring.watermark(); sequence <= top; sequence++) {
      SessionRequest request = ring.get(sequence);
      if (request != null
          && (copies.isDue(request, nowMillis) || ordered && request.state == State.RESTING)) {
        send(request, nowMillis);
      }
    }
  }

  void send(SessionRequest request, long nowMillis) {
    if (request.abandoning) {
      tellWatermark(nowMillis);
    }
    int copy = copies.next(request, nowMillis);
    if (copy == 1) {
      request.carriedWatermark = ring.watermark();
    }
    actions.send(
        request,
        copy,
        request.abandoning
            ? new Request.AbandonSequence(address, request.sequence)
            : new Request.InSession(
                address, request.sequence, ring.watermark(), request.fingerprint, request.payload));
  }

  /**
   * An abandon carries no watermark. If the log's is behind, the sequence may lie beyond the window
   * that the log knows, and would be refused for ever; so a keep-alive goes in front of it.
   */
  private void tellWatermark(long nowMillis) {
    boolean justTold =
        keepAlive.isOut()
            && keepAlive.atMillis == nowMillis
            && keepAlive.carriedWatermark == ring.watermark();
    if (toldWatermark < ring.watermark() && !justTold) {
      sendKeepAlive(nowMillis);
    }
  }

  private void sendKeepAlive(long nowMillis) {
    int copy = copies.next(keepAlive, nowMillis);
    keepAlive.carriedWatermark = ring.watermark();
    actions.send(keepAlive, copy, new Request.KeepAlive(address, ring.watermark()));
  }
}
