package io.onceward.server;

import io.onceward.wire.Timing;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Tells every visitor how often idle sessions are expected to speak and when they expire: at its
 * first question, and again when an administrator has changed it (S7). An idle client asks nothing,
 * so it would learn of a shorter interval too late.
 *
 * <p>Nodes that do not lead tell it too, as they apply the change: a client may not have noticed
 * yet that another node leads.
 */
final class TimingNews {
  /**
   * Changes that follow each other sooner are told together. Otherwise each setting would cost a
   * message to every connection.
   */
  private static final long PAUSE_MILLIS = 100;

  private final Set<Visitor> visitors = new LinkedHashSet<>();
  private Timing timing = Timing.INITIAL;
  private boolean isNews;
  private long dueMillis = Long.MIN_VALUE;

  /** A visitor asks for the first time. */
  void greet(Visitor visitor) {
    visitor.greeted = true;
    visitors.add(visitor);
    visitor.timing(timing);
  }

  /** A visitor hears nothing any more. */
  void forget(Visitor visitor) {
    visitors.remove(visitor);
  }

  /** What the tables of this node say now. */
  void isNow(Timing now) {
    if (!now.equals(timing)) {
      timing = now;
      isNews = !visitors.isEmpty();
    }
  }

  void flush(long monotonicMillis) {
    if (!isNews || monotonicMillis < dueMillis) {
      return;
    }
    isNews = false;
    dueMillis = monotonicMillis + PAUSE_MILLIS;
    // A visitor that cannot take it any more may leave at once.
    for (Visitor visitor : visitors.toArray(new Visitor[0])) {
      visitor.timing(timing);
    }
  }

  /** When {@link #flush} has something to do. */
  long dueMillis() {
    return isNews ? dueMillis : Leader.NEVER;
  }
}
