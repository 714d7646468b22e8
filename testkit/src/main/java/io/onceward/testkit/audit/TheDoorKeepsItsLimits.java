package io.onceward.testkit.audit;

import io.onceward.replica.LogEntry;
import io.onceward.server.DoorLimits;
import io.onceward.testkit.audit.DoorEvents.Arrived;
import io.onceward.testkit.audit.DoorEvents.Built;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.DoorEvents.Proposed;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.testkit.audit.DoorEvents.Settled;
import java.util.HashMap;
import java.util.Map;

/** Entries are no larger and no more than allowed, and no connection has more in flight (L1). */
public final class TheDoorKeepsItsLimits extends Invariant {
  private static final class Count {
    final DoorLimits limits;
    final Map<Object, Integer> waiting = new HashMap<>();
    final Map<Long, Object> visitors = new HashMap<>();
    int outstanding;

    Count(DoorLimits limits) {
      this.limits = limits;
    }
  }

  private final Map<Long, Count> doors = new HashMap<>();

  @Override
  protected void built(Built door) {
    doors.put(door.door(), new Count(door.limits()));
  }

  @Override
  protected void gone(Gone door) {
    doors.remove(door.door());
  }

  private Count at(long door) {
    Count count = doors.get(door);
    if (count == null) {
      throw new IllegalStateException("door " + door + " is gone");
    }
    return count;
  }

  /** What came before has been looked at by now. */
  @Override
  protected void arrived(Arrived arrival) {
    Count count = at(arrival.door());
    int waiting = count.waiting.getOrDefault(arrival.visitor(), 0);
    int most = count.limits.waitingPerVisitor();
    check(waiting <= most, waiting + " wait on a connection of ", most, " before ", arrival);
    count.waiting.put(arrival.visitor(), waiting + 1);
    count.visitors.put(arrival.visit(), arrival.visitor());
  }

  @Override
  protected void returned(Returned answer) {
    Count count = at(answer.door());
    Object visitor = count.visitors.remove(answer.visit());
    if (visitor != null) {
      count.waiting.merge(visitor, -1, Integer::sum);
    }
  }

  @Override
  protected void proposed(Proposed proposed) {
    Count count = at(proposed.door());
    count.outstanding++;
    LogEntry entry = proposed.entry();
    long bytes = 0;
    for (LogEntry.Proposal proposal : entry.proposals()) {
      bytes += proposal.frame().length();
    }
    int requests = entry.proposals().size();
    check(
        count.outstanding <= count.limits.entriesOutstanding()
            && requests <= count.limits.entryRequests()
            && (requests == 1 || bytes <= count.limits.entryBytes()),
        "over a limit",
        requests,
        " requests of ",
        bytes,
        " bytes in entry ",
        count.outstanding,
        "; allowed are ",
        count.limits);
  }

  @Override
  protected void settled(Settled entry) {
    at(entry.door()).outstanding--;
  }
}
