package io.onceward.testkit.audit;

import io.onceward.replica.LogEntry;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.server.DoorLimits;
import io.onceward.testkit.audit.DoorEvents.Arrived;
import io.onceward.testkit.audit.DoorEvents.Built;
import io.onceward.testkit.audit.DoorEvents.Gone;
import io.onceward.testkit.audit.DoorEvents.Proposed;
import io.onceward.testkit.audit.DoorEvents.Returned;
import io.onceward.testkit.audit.DoorEvents.Settled;
import io.onceward.wire.Question;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entries are no larger and no more than allowed, no connection has more in flight, and all
 * together take no more bytes (L1).
 *
 * <p>Bytes in flight are reckoned from outside. The queue is first come, first served; so when a
 * request leaves for the log, everything that left since it arrived was in the queue when it
 * arrived, beside the entries that were outstanding then and the visitors that waited. What the
 * door adds by itself comes in with some arrival, so the latest one stands for it.
 *
 * <p>Keep-alives and questions that are not for the log are left out: they wait apart, and have
 * accounts of their own.
 */
public final class TheDoorKeepsItsLimits extends Invariant {
  /** What each visitor that waits takes, beside the frame that it brought. */
  private static final int WAITING_BYTES = 128;

  /** What was in flight when somebody arrived. */
  private record Moment(long outstandingBytes, long waiting, long leftBefore) {
    long bytesInFlight(long leftByNow) {
      return outstandingBytes + waiting * WAITING_BYTES + leftByNow - leftBefore;
    }
  }

  private static final class Visit {
    final Object visitor;
    final LogEntry.@Nullable Proposal asked;
    final boolean keepAlive;

    /** At least what it takes if it is not for the log. */
    final long questionBytes;

    Moment moment = new Moment(0, 0, 0);

    Visit(
        Object visitor, LogEntry.@Nullable Proposal asked, boolean keepAlive, long questionBytes) {
      this.visitor = visitor;
      this.asked = asked;
      this.keepAlive = keepAlive;
      this.questionBytes = questionBytes;
    }

    /** Among those that wait for the log, and are no keep-alives. */
    int requests() {
      return asked == null || keepAlive ? 0 : 1;
    }

    int questions() {
      return asked == null ? 1 : 0;
    }
  }

  private static final class Count {
    final DoorLimits limits;
    final Map<Object, Integer> waiting = new HashMap<>();
    final Map<Long, Visit> visits = new HashMap<>();
    final Map<LogEntry.Proposal, List<Visit>> unproposed = new HashMap<>();
    final Map<Object, Long> outstanding = new HashMap<>();
    final Map<Object, List<Object>> added = new HashMap<>();
    Moment latest = new Moment(0, 0, 0);
    long outstandingBytes;
    long waitingVisits;
    long keepAliveVisits;
    long questions;
    long questionBytes;
    long left;

    Count(DoorLimits limits) {
      this.limits = limits;
    }

    /** Those who asked exactly this and have not been seen to leave; mostly one. */
    List<Visit> askers(LogEntry.Proposal proposal) {
      return unproposed.getOrDefault(proposal, List.of());
    }

    void left(LogEntry.Proposal proposal, Visit visit) {
      List<Visit> others = unproposed.get(proposal);
      if (others != null && others.remove(visit) && others.isEmpty()) {
        unproposed.remove(proposal);
      }
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
    check(
        count.waitingVisits * WAITING_BYTES <= count.limits.waitingBytes(),
        "too many bytes in flight",
        count.waitingVisits,
        " wait, allowed are ",
        count.limits);
    check(
        count.keepAliveVisits * WAITING_BYTES <= count.limits.keepAliveBytes(),
        "too many keep-alives in flight",
        count.keepAliveVisits,
        " wait, allowed are ",
        count.limits);
    check(
        count.questions <= 1 || count.questionBytes <= count.limits.questionBytes(),
        "too many bytes of questions in flight",
        count.questionBytes,
        " wait, allowed are ",
        count.limits);
    Visit visit = visitOf(arrival);
    count.questions += visit.questions();
    count.questionBytes += visit.questionBytes;
    count.keepAliveVisits += visit.keepAlive ? 1 : 0;
    count.waiting.put(arrival.visitor(), waiting + 1);
    count.visits.put(arrival.visit(), visit);
    // This one may be refused, and what the door adds for it still leave.
    count.latest = new Moment(count.outstandingBytes, count.waitingVisits, count.left);
    count.waitingVisits += visit.requests();
    visit.moment = new Moment(count.outstandingBytes, count.waitingVisits, count.left);
    if (visit.asked != null) {
      count.unproposed.computeIfAbsent(visit.asked, any -> new ArrayList<>()).add(visit);
    }
  }

  private static Visit visitOf(Arrived arrival) {
    if (!(arrival.question() instanceof Question.Logged logged)) {
      long payload =
          arrival.question() instanceof Question.Query query ? query.question().length() : 0;
      return new Visit(arrival.visitor(), null, false, WAITING_BYTES + payload);
    }
    LogEntry.Proposal asked = new LogEntry.Proposal(arrival.principal(), logged.frame());
    return new Visit(arrival.visitor(), asked, requestIn(asked) instanceof Request.KeepAlive, 0);
  }

  private static @Nullable Request requestIn(LogEntry.Proposal proposal) {
    try {
      return RequestCodec.knownType(proposal.frame())
          ? RequestCodec.decode(proposal.frame())
          : null;
    } catch (RuntimeException unreadable) {
      return null;
    }
  }

  @Override
  protected void returned(Returned answer) {
    Count count = at(answer.door());
    Visit visit = count.visits.remove(answer.visit());
    if (visit != null) {
      count.waiting.merge(visit.visitor, -1, Integer::sum);
      count.waitingVisits -= visit.requests();
      count.questions -= visit.questions();
      count.questionBytes -= visit.questionBytes;
      count.keepAliveVisits -= visit.keepAlive ? 1 : 0;
      if (visit.asked != null) {
        count.left(visit.asked, visit);
      }
    }
  }

  @Override
  protected void proposed(Proposed proposed) {
    Count count = at(proposed.door());
    LogEntry entry = proposed.entry();
    long leftBefore = count.left;
    long bytes = 0;
    for (LogEntry.Proposal proposal : entry.proposals()) {
      bytes += proposal.frame().length();
      leaves(count, proposed.batch(), proposal);
    }
    count.outstanding.put(proposed.batch(), count.left - leftBefore);
    count.outstandingBytes += count.left - leftBefore;
    int requests = entry.proposals().size();
    check(
        count.outstanding.size() <= count.limits.entriesOutstanding()
            && requests <= count.limits.entryRequests()
            && (requests == 1 || bytes <= count.limits.entryBytes()),
        "over a limit",
        requests,
        " requests of ",
        bytes,
        " bytes in entry ",
        count.outstanding.size(),
        "; allowed are ",
        count.limits);
  }

  private void leaves(Count count, Object batch, LogEntry.Proposal proposal) {
    if (OwnWords.isOne(proposal.frame())) {
      return;
    }
    List<Visit> askers = count.askers(proposal);
    if (!askers.isEmpty() && askers.get(0).keepAlive) {
      count.left(proposal, askers.get(0));
      return;
    }
    count.left += proposal.frame().length();
    long atArrival = askers.isEmpty() ? 0 : Long.MAX_VALUE;
    for (Visit visit : askers) {
      atArrival = Math.min(atArrival, visit.moment.bytesInFlight(count.left));
    }
    long bytes = Math.max(atArrival, count.latest.bytesInFlight(count.left));
    check(
        bytes <= count.limits.waitingBytes(),
        "too many bytes in flight",
        bytes,
        " of ",
        count.limits.waitingBytes(),
        " when this came in: ",
        proposal);
    if (askers.isEmpty()) {
      added(count, batch, proposal);
    } else {
      count.left(proposal, askers.get(0));
    }
  }

  /** What the door adds by itself stands in the log once at a time, however often it was sent. */
  private void added(Count count, Object batch, LogEntry.Proposal proposal) {
    List<Object> items = new ArrayList<>();
    if (requestIn(proposal) instanceof Request.Acknowledge ask) {
      ask.acknowledged().forEach(key -> items.add(List.of(proposal.principal(), ask.scope(), key)));
    } else if (requestIn(proposal) instanceof Request.KeepAlive) {
      items.add(proposal);
    }
    for (List<Object> others : count.added.values()) {
      for (Object item : items) {
        check(!others.contains(item), "the door added the same again", item);
      }
    }
    count.added.computeIfAbsent(batch, any -> new ArrayList<>()).addAll(items);
  }

  @Override
  protected void settled(Settled entry) {
    Count count = at(entry.door());
    count.added.remove(entry.batch());
    Long bytes = count.outstanding.remove(entry.batch());
    count.outstandingBytes -= bytes == null ? 0 : bytes;
  }
}
