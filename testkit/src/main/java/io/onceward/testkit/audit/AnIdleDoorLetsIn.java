package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.DoorEvents.Arrived;
import io.onceward.testkit.audit.DoorEvents.Built;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.DoorEvents.Proposed;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.testkit.audit.DoorEvents.Settled;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Nobody is refused for bytes in flight by a door that has none: no entry is outstanding, and
 * nobody waits but keep-alives, which may keep nobody out who would start the entry that takes them
 * along (L2).
 */
public final class AnIdleDoorLetsIn extends Invariant {
  /** What a visitor that waits takes, beside the frame that it brought. */
  private static final int WAITING_BYTES = 128;

  private static final class Traffic {
    final long mostBytes;
    final Set<Long> busy = new HashSet<>();
    final Set<Object> outstanding = new HashSet<>();
    long firstVisit;
    long firstAtMillis = -1;
    boolean firstFindsNobody;

    Traffic(long mostBytes) {
      this.mostBytes = mostBytes;
    }
  }

  private final Map<Long, Traffic> doors = new HashMap<>();

  @Override
  protected void built(Built door) {
    doors.put(door.door(), new Traffic(door.limits().waitingBytes()));
  }

  @Override
  protected void gone(Gone door) {
    doors.remove(door.door());
  }

  /** Those that come at one moment may be in each other's way; only the first one cannot. */
  @Override
  protected void arrived(Arrived arrival) {
    Traffic traffic = doors.get(arrival.door());
    if (traffic == null) {
      return;
    }
    if (arrival.nowMillis() != traffic.firstAtMillis) {
      traffic.firstAtMillis = arrival.nowMillis();
      traffic.firstVisit = arrival.visit();
      traffic.firstFindsNobody = traffic.busy.isEmpty() && traffic.outstanding.isEmpty();
    }
    if (!isKeepAlive(arrival.question())) {
      traffic.busy.add(arrival.visit());
    }
  }

  private static boolean isKeepAlive(Question question) {
    return question instanceof Question.Logged logged
        && TheDoorRefusesWithReason.read(logged.frame()) instanceof Request.KeepAlive;
  }

  @Override
  protected void proposed(Proposed entry) {
    Traffic traffic = doors.get(entry.door());
    if (traffic != null) {
      traffic.outstanding.add(entry.batch());
    }
  }

  @Override
  protected void settled(Settled entry) {
    Traffic traffic = doors.get(entry.door());
    if (traffic != null) {
      traffic.outstanding.remove(entry.batch());
    }
  }

  @Override
  protected void returned(Returned answer) {
    Traffic traffic = doors.get(answer.door());
    if (traffic == null) {
      return;
    }
    traffic.busy.remove(answer.visit());
    if (answer.visit() == traffic.firstVisit
        && traffic.firstFindsNobody
        && answer.question() instanceof Question.Logged logged
        && !answer.byTheLog()
        && answer.answer() instanceof Answer.Decided told
        && told.decision() instanceof Decision.Refused refused
        && refused.limit().equals("bytes in flight")) {
      check(
          logged.frame().length() + WAITING_BYTES > traffic.mostBytes,
          "an idle door refused for bytes in flight",
          answer);
    }
  }
}
