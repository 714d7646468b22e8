package io.onceward.testkit.audit;

import io.onceward.testkit.audit.DoorEvents.Arrived;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.testkit.audit.Events.Healed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A door that lives answers everything that came to it, once: with a decision of the log, or that
 * its fate is unknown, or where else to ask (O3).
 */
public final class EveryQuestionIsAnswered extends Invariant {
  /** Keep-alives wait for the next entry, and that comes with the next tick at the latest. */
  private static final long LONGEST_WAIT_MILLIS = 15_000;

  private final Map<Long, Map<Long, Arrived>> doors = new HashMap<>();

  @Override
  protected void arrived(Arrived arrival) {
    doors
        .computeIfAbsent(arrival.door(), door -> new LinkedHashMap<>())
        .put(arrival.visit(), arrival);
  }

  @Override
  protected void returned(Returned answer) {
    Map<Long, Arrived> waiting = doors.getOrDefault(answer.door(), Map.of());
    check(waiting.remove(answer.visit()) != null, "answered twice", answer);
  }

  @Override
  protected void gone(Gone door) {
    doors.remove(door.door());
  }

  @Override
  protected void healed(Healed healed) {
    List<String> unanswered = new ArrayList<>();
    for (Map<Long, Arrived> waiting : doors.values()) {
      for (Arrived arrival : waiting.values()) {
        if (healed.nowMillis() - arrival.nowMillis() >= LONGEST_WAIT_MILLIS) {
          unanswered.add(arrival.toString());
        }
      }
    }
    checkNone(unanswered, "nobody answers");
  }
}
