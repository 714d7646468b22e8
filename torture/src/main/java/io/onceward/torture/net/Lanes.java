package io.onceward.torture.net;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All ways between all parties, and the connections that stand on them. */
final class Lanes {
  private record Way(String source, String target) {}

  private final Map<Way, Lane> lanes = new ConcurrentHashMap<>();
  private final Set<Crossing> crossings = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  Lane between(String source, String target) {
    return lanes.computeIfAbsent(new Way(source, target), way -> new Lane());
  }

  void add(Crossing crossing) {
    crossings.add(crossing);
    if (closed) {
      crossing.reset();
    }
  }

  void remove(Crossing crossing) {
    crossings.remove(crossing);
  }

  /** Resets every connection between two parties, whoever made it; gives how many. */
  int cut(String one, String other) {
    int cut = 0;
    for (Crossing crossing : crossings) {
      if (crossing.isBetween(one, other)) {
        crossing.reset();
        cut++;
      }
    }
    return cut;
  }

  /**
   * Lets connections that stand between two parties die without a sign; new ones live.
   *
   * @param most how many of them
   */
  int freeze(String one, String other, int most) {
    List<Crossing> standing = new ArrayList<>(crossings);
    // Which one is which is known to nobody here; the seed decides that one dies, and when.
    Collections.shuffle(standing);
    int frozen = 0;
    for (Crossing crossing : standing) {
      if (frozen < most && crossing.isBetween(one, other) && crossing.freeze()) {
        frozen++;
      }
    }
    return frozen;
  }

  /**
   * Opens all lanes. Connections that died without a sign stay dead: who had them has to notice.
   */
  void healAll() {
    lanes.values().forEach(Lane::heal);
  }

  void close() {
    closed = true;
    lanes.values().forEach(Lane::close);
    crossings.forEach(Crossing::reset);
  }
}
