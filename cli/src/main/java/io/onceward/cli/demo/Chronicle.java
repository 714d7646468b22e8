package io.onceward.cli.demo;

import io.onceward.cli.demo.Figures.Event;
import io.onceward.cli.demo.Figures.Tone;
import io.onceward.cli.demo.Figures.Troubles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What happened and when: the last few events, what is wrong just now, and how often what was. */
final class Chronicle {
  private static final int MOST_EVENTS = 20;

  private final Consumer<Event> audience;
  private final Deque<Event> events = new ArrayDeque<>();
  private final List<String> present = new ArrayList<>();
  private long beginNanos = System.nanoTime();
  private long kills;
  private long pauses;
  private long cuts;
  private long clientKills;
  private long leaderChanges;
  private long term;
  private String leader = "";

  /**
   * An empty chronicle.
   *
   * @param audience hears each event at once
   */
  Chronicle(Consumer<Event> audience) {
    this.audience = audience;
  }

  /** From now on time and leader changes are counted; what was before does not matter. */
  synchronized void begin() {
    beginNanos = System.nanoTime();
    events.clear();
    leaderChanges = 0;
  }

  synchronized long elapsedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
  }

  void news(String text) {
    tell(Tone.NEWS, text);
  }

  /** Something goes wrong now. */
  void trouble(String text) {
    synchronized (this) {
      present.add(text);
    }
    tell(Tone.TROUBLE, text);
  }

  /** What is wrong changes, which is no event. */
  synchronized void becomes(String trouble, String next) {
    present.remove(trouble);
    present.add(next);
  }

  /** What {@link #trouble} told is over. */
  void relief(String trouble, String text) {
    synchronized (this) {
      present.remove(trouble);
    }
    tell(Tone.RELIEF, text);
  }

  private void tell(Tone tone, String text) {
    Event event;
    synchronized (this) {
      event = new Event(elapsedMillis(), tone, text);
      if (events.size() == MOST_EVENTS) {
        events.removeFirst();
      }
      events.addLast(event);
    }
    audience.accept(event);
  }

  synchronized void killed(int nodes) {
    kills += nodes;
  }

  synchronized void paused() {
    pauses++;
  }

  synchronized void cut() {
    cuts++;
  }

  synchronized void clientKilled() {
    clientKills++;
  }

  /** Somebody says that he leads; an older term is an old story. */
  void leads(String node, long inTerm) {
    String before;
    synchronized (this) {
      if (inTerm <= term) {
        return;
      }
      before = leader;
      term = inTerm;
      leader = node;
      if (!before.isEmpty()) {
        leaderChanges++;
      }
    }
    news(node + (before.isEmpty() ? " leads, term " : " leads now, term ") + inTerm);
  }

  synchronized String leader() {
    return leader;
  }

  synchronized long term() {
    return term;
  }

  synchronized Troubles troubles() {
    return new Troubles(kills, pauses, cuts, clientKills, leaderChanges);
  }

  synchronized List<Event> events() {
    return List.copyOf(events);
  }

  /** What is wrong just now; empty if nothing is. */
  synchronized String now() {
    return String.join("; ", present);
  }
}
