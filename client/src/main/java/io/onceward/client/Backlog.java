package io.onceward.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Questions that wait because a connection cannot take more just now. Speakers take turns, so that
 * one with a lot to ask does not hold up the others; each one's own questions stay in order.
 */
final class Backlog {
  private final Map<Speaker, ArrayDeque<Asked>> queues = new LinkedHashMap<>();

  boolean isEmpty() {
    return queues.isEmpty();
  }

  void add(Asked asked) {
    queues.computeIfAbsent(asked.speaker, any -> new ArrayDeque<>()).add(asked);
  }

  /** The next question; null if there is none. */
  @Nullable Asked poll() {
    Iterator<Map.Entry<Speaker, ArrayDeque<Asked>>> turns = queues.entrySet().iterator();
    if (!turns.hasNext()) {
      return null;
    }
    Map.Entry<Speaker, ArrayDeque<Asked>> turn = turns.next();
    Speaker speaker = turn.getKey();
    ArrayDeque<Asked> queue = turn.getValue();
    turns.remove();
    Asked next = queue.poll();
    if (!queue.isEmpty()) {
      queues.put(speaker, queue);
    }
    return next;
  }

  List<Asked> takeAll() {
    List<Asked> all = new ArrayList<>();
    queues.values().forEach(all::addAll);
    queues.clear();
    return all;
  }
}
