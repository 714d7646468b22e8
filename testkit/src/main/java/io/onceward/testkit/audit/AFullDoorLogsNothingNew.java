package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.DoorEvents.Arrived;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.testkit.audit.DoorEvents.Settled;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * While the tables have no room, a door keeps new keys out of the log (K6). Otherwise every retry
 * would be logged and synced, only to be refused there.
 *
 * <p>A door may be behind: what it knows of the room for a principal is as of its last entry with
 * something of that principal. So a key must be kept out only if such an entry has just shown that
 * there is no room, there was none when the key arrived, and nothing of it was under way.
 */
public final class AFullDoorLogsNothingNew extends Invariant {
  private record Id(String principal, String scope, Object key) {}

  private static final class Seen {
    /** Who has no room, as the last entry of the door that was settled has shown. */
    final Set<String> full = new HashSet<>();

    final Map<Long, Id> visits = new HashMap<>();
    final Map<Id, Integer> underWay = new HashMap<>();
    final Set<Long> toBeKeptOut = new HashSet<>();
  }

  private final Ledger ledger;
  private final Map<Long, Seen> doors = new HashMap<>();

  public AFullDoorLogsNothingNew(Ledger ledger) {
    this.ledger = ledger;
  }

  private Seen at(long door) {
    return doors.computeIfAbsent(door, any -> new Seen());
  }

  @Override
  protected void gone(Gone door) {
    doors.remove(door.door());
  }

  @Override
  protected void settled(Settled entry) {
    at(entry.door()).full.clear();
  }

  @Override
  protected void arrived(Arrived arrival) {
    Seen seen = at(arrival.door());
    if (arrival.bytesLeft() >= arrival.maxReplyBytes()) {
      seen.full.remove(arrival.principal());
    }
    Request.Keyed asked = keyedIn(arrival.question());
    if (asked == null) {
      return;
    }
    String principal = ledger.resolve(arrival.principal());
    Id id = new Id(principal, asked.scope().name(), asked.key());
    boolean isNew =
        !seen.underWay.containsKey(id)
            && ledger.keys().of(principal, asked.scope().name(), asked.key()) == null;
    if (isNew && seen.full.contains(arrival.principal())) {
      seen.toBeKeptOut.add(arrival.visit());
    }
    seen.visits.put(arrival.visit(), id);
    seen.underWay.merge(id, 1, Integer::sum);
  }

  @Override
  protected void returned(Returned answer) {
    Seen seen = at(answer.door());
    Id id = seen.visits.remove(answer.visit());
    if (id != null) {
      seen.underWay.computeIfPresent(id, (same, copies) -> copies == 1 ? null : copies - 1);
    }
    boolean refused =
        answer.byTheLog()
            && answer.answer() instanceof Answer.Decided told
            && told.decision() instanceof Decision.Refused because
            && because.refusal() == Refusal.OVERLOADED
            && List.of("table bytes", "principal bytes").contains(because.limit());
    boolean toBeKeptOut = seen.toBeKeptOut.remove(answer.visit());
    check(!(refused && toBeKeptOut), "logged although there was no room", answer);
    if (refused && answer.bytesLeft() < answer.maxReplyBytes()) {
      seen.full.add(answer.principal());
    }
  }

  private static Request.@Nullable Keyed keyedIn(Question question) {
    return question instanceof Question.Logged logged
            && TheDoorRefusesWithReason.read(logged.frame()) instanceof Request.Keyed keyed
        ? keyed
        : null;
  }
}
