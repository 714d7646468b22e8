package io.onceward.replica;

import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Decision.Done;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are answered as failed without calling the service (E8).
 *
 * <p>That a request is quarantined cannot be logged before it: the log cannot get past an entry
 * that stops every node. So each node is told from outside, and what it <em>did</em> because of
 * that becomes part of its state. The log then says what the leader did ({@link
 * Request.ConfirmQuarantines}), and a replica that did otherwise stops there.
 */
final class Quarantine {
  /** What is ordered, and in which cluster; in all if there is none. */
  private final TreeMap<LogPlace, Optional<ClusterId>> ordered = new TreeMap<>();

  /** What was answered as failed, and whether the log has confirmed it. */
  private final TreeMap<LogPlace, Boolean> obeyed = new TreeMap<>();

  /** What an operator wants of this node; no part of the replicated state. */
  void order(LogPlace place, @Nullable ClusterId cluster) {
    if (ordered.size() == Limits.QUARANTINED && !ordered.containsKey(place)) {
      throw new IllegalArgumentException(
          "more than " + Limits.QUARANTINED + " requests are quarantined at once");
    }
    ordered.put(place, Optional.ofNullable(cluster));
  }

  boolean orders(long position, int ordinal, ClusterId here) {
    Optional<ClusterId> cluster =
        ordered.isEmpty() ? null : ordered.get(new LogPlace(position, ordinal));
    return cluster != null && cluster.orElse(here).equals(here);
  }

  /** The request at this place was answered as failed. The oldest is forgotten if they are many. */
  void obey(LogPlace place) {
    obeyed.put(place, false);
    if (obeyed.size() > Limits.QUARANTINED) {
      obeyed.pollFirstEntry();
    }
  }

  /** What was answered as failed and is not confirmed yet. */
  List<LogPlace> unconfirmed() {
    if (obeyed.isEmpty()) {
      return List.of();
    }
    List<LogPlace> places = new ArrayList<>();
    for (Map.Entry<LogPlace, Boolean> place : obeyed.entrySet()) {
      if (!place.getValue()) {
        places.add(place.getKey());
      }
    }
    return List.copyOf(places);
  }

  /** Throws if the leader did otherwise; nothing has changed then. */
  void requireSame(long position, Request.ConfirmQuarantines leaders) {
    for (LogPlace place : leaders.places()) {
      if (!obeyed.containsKey(place) && !isForgotten(place)) {
        throw DifferentQuarantinesException.executedHere(place, position);
      }
    }
    for (LogPlace place : unconfirmed()) {
      if (place.position() <= leaders.upTo() && !leaders.places().contains(place)) {
        throw DifferentQuarantinesException.obeyedHere(place, position);
      }
    }
  }

  private boolean isForgotten(LogPlace place) {
    return obeyed.size() == Limits.QUARANTINED && place.compareTo(obeyed.firstKey()) < 0;
  }

  Decision confirm(Request.ConfirmQuarantines leaders) {
    for (LogPlace place : leaders.places()) {
      if (obeyed.containsKey(place)) {
        obeyed.put(place, true);
      }
    }
    return new Done();
  }

  TreeMap<LogPlace, Boolean> obeyed() {
    return new TreeMap<>(obeyed);
  }

  void restore(TreeMap<LogPlace, Boolean> restored) {
    obeyed.clear();
    obeyed.putAll(restored);
  }
}
