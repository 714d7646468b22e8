package io.onceward.testkit.world;

import java.util.PriorityQueue;

/**
 * The only clock and the only scheduler of a simulated world. Nothing happens between two events,
 * so hours without any cost nothing.
 */
public final class VirtualTime {
  private record Event(long atMillis, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atMillis, other.atMillis);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> queue = new PriorityQueue<>();
  private long nowMillis;
  private long scheduled;

  public long nowMillis() {
    return nowMillis;
  }

  /** Runs the action later; actions of the same millisecond run in the order of these calls. */
  public void after(long delayMillis, Runnable action) {
    if (delayMillis < 0) {
      throw new IllegalArgumentException("an event " + delayMillis + " ms from now");
    }
    queue.add(new Event(nowMillis + delayMillis, scheduled++, action));
  }

  /** Runs the next event; false if there is none before the given time. */
  public boolean step(long untilMillis) {
    Event next = queue.peek();
    if (next == null || next.atMillis() > untilMillis) {
      nowMillis = Math.max(nowMillis, untilMillis);
      return false;
    }
    queue.remove();
    nowMillis = next.atMillis();
    next.action().run();
    return true;
  }
}
