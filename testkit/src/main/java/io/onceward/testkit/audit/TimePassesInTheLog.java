package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.DoorEvents.Built;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.DoorEvents.Looked;
import io.onceward.testkit.audit.DoorEvents.Proposed;
import io.onceward.testkit.audit.DoorEvents.Settled;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * While anything can expire, a leader logs an entry per keep-alive interval, and the interval is
 * the one in force now (T3, S7): a shorter one counts from the moment its node applies it, and the
 * first one from the moment its node leads.
 */
public final class TimePassesInTheLog extends Invariant {
  /** Looks are taken this far apart, and the leader's clock may wake it this late. */
  private static final long SLACK_MILLIS = 1_500;

  private static final class Pulse {
    final int mostOutstanding;
    final Set<Object> outstanding = new HashSet<>();
    boolean hasLogged;
    long reign;
    long intervalMillis;
    long sinceMillis;

    Pulse(int mostOutstanding) {
      this.mostOutstanding = mostOutstanding;
    }
  }

  private final TreeMap<Long, Long> intervals = new TreeMap<>();
  private final Map<Long, Pulse> doors = new HashMap<>();

  @Override
  protected void judged(Judged copy) {
    if (copy.request() instanceof Request.SetParameter set
        && set.parameter() == Parameter.KEEP_ALIVE_MILLIS
        && copy.decision() instanceof Decision.Done) {
      intervals.put(copy.position(), set.value());
    }
  }

  @Override
  protected void built(Built door) {
    doors.put(door.door(), new Pulse(door.limits().entriesOutstanding()));
  }

  @Override
  protected void gone(Gone door) {
    doors.remove(door.door());
  }

  @Override
  protected void proposed(Proposed entry) {
    Pulse pulse = doors.get(entry.door());
    if (pulse != null) {
      pulse.outstanding.add(entry.batch());
      pulse.hasLogged = true;
    }
  }

  @Override
  protected void settled(Settled entry) {
    Pulse pulse = doors.get(entry.door());
    if (pulse != null) {
      pulse.outstanding.remove(entry.batch());
    }
  }

  @Override
  protected void looked(Looked look) {
    Pulse pulse = doors.get(look.door());
    if (pulse == null) {
      return;
    }
    long intervalMillis = intervalAt(look.appliedPosition());
    // While the log takes nothing more, a tick waits with all else.
    boolean stuck = pulse.outstanding.size() >= pulse.mostOutstanding;
    if (!look.open()
        || !look.timeMatters()
        || stuck
        || pulse.hasLogged
        || look.reign() != pulse.reign
        || intervalMillis != pulse.intervalMillis) {
      pulse.hasLogged = false;
      pulse.reign = look.reign();
      pulse.intervalMillis = intervalMillis;
      pulse.sinceMillis = look.nowMillis();
      return;
    }
    long quietMillis = look.nowMillis() - pulse.sinceMillis;
    check(
        quietMillis <= intervalMillis + SLACK_MILLIS,
        "a leader logs nothing",
        quietMillis,
        " ms long, the interval is ",
        intervalMillis,
        ", ",
        look);
  }

  private long intervalAt(long position) {
    Map.@Nullable Entry<Long, Long> set = intervals.floorEntry(position);
    return set == null ? Parameter.KEEP_ALIVE_MILLIS.initial() : set.getValue();
  }
}
