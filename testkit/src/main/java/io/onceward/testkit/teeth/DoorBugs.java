package io.onceward.testkit.teeth;

import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Frozen;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Replica.SessionView;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.server.Door;
import io.onceward.server.DoorLimits;
import io.onceward.testkit.world.DoorMaker.ActsOnElection;
import io.onceward.testkit.world.DoorMaker.Outlook;
import io.onceward.testkit.world.Guest;
import io.onceward.testkit.world.ReplicaMachine;
import io.onceward.testkit.world.StateMachine;
import io.onceward.testkit.world.WishService;
import io.onceward.wire.Answer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What can be wrong with a leader's door. */
final class DoorBugs {
  private DoorBugs() {}

  /** Lets a copy wait for another one that only looks the same. */
  static final class FalseTwins extends AroundDoor {
    private final boolean ofOnePrincipal;
    private final boolean ample;
    private final Map<Object, Long> first = new HashMap<>();
    private final Map<Long, List<Visit>> waiting = new HashMap<>();

    FalseTwins(Door.Surroundings node, DoorLimits limits, Outlook outlook, boolean ofOnePrincipal) {
      super(node, limits, outlook);
      this.ofOnePrincipal = ofOnePrincipal;
      // It keeps who waits to itself, and the limits are not what it breaks.
      this.ample = limits.waitingPerVisitor() > 1_000;
    }

    private @Nullable Object twin(String principal, @Nullable Request request) {
      Object id = request == null ? null : idOf(request);
      return id == null ? null : ofOnePrincipal ? List.of(principal, id) : id;
    }

    @Override
    boolean keepsOut(Visit visit) {
      Object twin = ample ? twin(visit.principal(), visit.request()) : null;
      Long ticket = twin == null ? null : first.putIfAbsent(twin, visit.ticket());
      if (ticket == null) {
        return false;
      }
      waiting.computeIfAbsent(ticket, any -> new ArrayList<>()).add(visit);
      return true;
    }

    @Override
    @Nullable Answer told(Guest guest, long ticket, @Nullable Request request, Answer answer) {
      Object twin = twin(guest.principal(), request);
      if (twin != null && first.remove(twin, ticket)) {
        List<Visit> others = waiting.remove(ticket);
        if (others != null) {
          others.forEach(visit -> visit.guest().answer(visit.ticket(), answer));
        }
      }
      return answer;
    }
  }

  /** Lets retries wait for a twin that was lost with an earlier term. */
  static final class TwinsWaitForEver extends AroundDoor {
    private final Set<Object> lost = new HashSet<>();

    TwinsWaitForEver(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    boolean keepsOut(Visit visit) {
      Object id = idOf(visit.request());
      return id != null && lost.contains(List.of(visit.principal(), id));
    }

    @Override
    @Nullable Answer told(Guest guest, long ticket, @Nullable Request request, Answer answer) {
      Object id = request == null ? null : idOf(request);
      if (id != null && answer instanceof Answer.Unknown) {
        lost.add(List.of(guest.principal(), id));
      }
      return answer;
    }
  }

  /** The engine says "not leader", so the request did not happen. Or so it seems. */
  static final class LostIsCalledNever extends AroundDoor {
    LostIsCalledNever(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    @Nullable Answer told(Guest guest, long ticket, @Nullable Request request, Answer answer) {
      return answer instanceof Answer.Unknown && request != null && idOf(request) != null
          ? new Answer.Decided(
              new Decision.Refused(Refusal.ABANDONED), outlook.machine().clusterId().tag())
          : answer;
    }
  }

  /** Closes an unseen id without telling anybody. */
  static final class AbandonsWithoutTheLog extends AroundDoor {
    AbandonsWithoutTheLog(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    boolean keepsOut(Visit visit) {
      boolean unseen =
          visit.request() instanceof Request.AbandonKey ask
              && outlook.machine().outcome(visit.principal(), ask.scope(), ask.key())
                  instanceof Outcome.NeverSeen;
      if (unseen) {
        answer(visit, new Decision.Abandoned(true));
      }
      return unseen;
    }
  }

  /** Opens as soon as it is elected, whatever its predecessors have committed. */
  static class OpensTooEarly extends AroundDoor implements ActsOnElection {
    OpensTooEarly(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    public void elected() {
      ClusterId cluster = outlook.machine().clusterId();
      // Before there is a cluster, entries without its tag would stop every node.
      if (!cluster.equals(ClusterId.NONE)) {
        inner.open(cluster.tag());
      }
    }
  }

  /** The leader has something to say to the log by itself, and it is dropped. */
  static final class NotLogged extends AroundDoor {
    private final Class<? extends Request> dropped;

    NotLogged(
        Door.Surroundings node,
        DoorLimits limits,
        Outlook outlook,
        Class<? extends Request> dropped) {
      super(node, limits, outlook);
      this.dropped = dropped;
    }

    @Override
    public void log(Request request) {
      if (!dropped.isInstance(request)) {
        inner.log(request);
      }
    }
  }

  /** Knows no such session, since it has not applied its opening yet. */
  static final class NoSessionFromAStaleTable extends OpensTooEarly {
    NoSessionFromAStaleTable(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    boolean keepsOut(Visit visit) {
      if (!inner.isOpen() || !(visit.request() instanceof Request.InSession ask)) {
        return false;
      }
      for (SessionView view : outlook.machine().sessions()) {
        if (view.session() == ask.address().session()) {
          return false;
        }
      }
      answer(visit, new Decision.Refused(Refusal.NO_SESSION));
      return true;
    }
  }

  /** Reads its table at once, and does not ask whether it still leads. */
  static final class ReadsWithoutABarrier extends AroundDoor {
    ReadsWithoutABarrier(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    public void confirm(Door.Reads reads) {
      inner.readable(reads);
    }
  }

  /** Tells what an entry will do as soon as the leader has written it to its own disk. */
  static final class RepliesBeforeCommit extends AroundDoor {
    private final Map<Long, Visit> waiting = new TreeMap<>();

    RepliesBeforeCommit(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    boolean keepsOut(Visit visit) {
      waiting.put(visit.ticket(), visit);
      return false;
    }

    @Override
    @Nullable Answer told(Guest guest, long ticket, @Nullable Request request, Answer answer) {
      return request == null || waiting.remove(ticket) != null ? answer : null;
    }

    @Override
    public void propose(byte[] bytes, Door.Batch batch) {
      node.propose(bytes, batch);
      List<LogEntry.Proposal> proposals = LogEntry.decode(bytes).proposals();
      copyOf(outlook.machine())
          .apply(
              outlook.nextPosition(),
              outlook.term(),
              bytes,
              (ordinal, decision) -> tell(proposals.get(ordinal), decision));
    }

    private void tell(LogEntry.Proposal proposal, Decision decision) {
      for (Visit visit : List.copyOf(waiting.values())) {
        if (decision instanceof Decision.Replied
            && visit.principal().equals(proposal.principal())
            && visit.request().equals(RequestCodec.decode(proposal.frame()))) {
          waiting.remove(visit.ticket());
          answer(visit, decision);
          return;
        }
      }
    }

    private static StateMachine copyOf(StateMachine machine) {
      try {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Frozen frozen = machine.freeze();
        frozen.writeTo(out);
        WishService service = new WishService(0, execution -> {});
        return ReplicaMachine.MAKER.restore(
            new StateMachine.Place(0, () -> 0L, service),
            new ByteArrayInputStream(out.toByteArray()));
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
  }

  /** Fills entries from the end of the queue, and still answers everybody what is theirs. */
  static final class ReordersBatches extends AroundDoor {
    ReordersBatches(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    public void propose(byte[] bytes, Door.Batch batch) {
      LogEntry entry = LogEntry.decode(bytes);
      List<LogEntry.Proposal> proposals = reversed(entry.proposals());
      node.propose(
          new LogEntry(entry.clusterTag(), entry.stampMillis(), proposals).encode(), batch);
    }

    @Override
    public void decided(Door.Batch batch, List<Decision> decisions) {
      inner.decided(batch, reversed(decisions));
    }

    private static <T> List<T> reversed(List<T> list) {
      List<T> reversed = new ArrayList<>(list);
      Collections.reverse(reversed);
      return reversed;
    }
  }

  /** Answers each copy what was decided one place further. */
  static final class AnswersTheWrongCopy extends AroundDoor {
    AnswersTheWrongCopy(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    public void decided(Door.Batch batch, List<Decision> decisions) {
      List<Decision> shifted = new ArrayList<>(decisions);
      Collections.rotate(shifted, 1);
      inner.decided(batch, shifted);
    }
  }

  /** What becomes of a keep-alive that is not logged. */
  enum KeepAlive {
    DROPPED,
    ANSWERED
  }

  /** Saves the log the keep-alives. */
  static final class KeepAlivesNotLogged extends AroundDoor {
    private final KeepAlive what;

    KeepAlivesNotLogged(
        Door.Surroundings node, DoorLimits limits, Outlook outlook, KeepAlive what) {
      super(node, limits, outlook);
      this.what = what;
    }

    @Override
    boolean keepsOut(Visit visit) {
      if (!inner.isOpen() || !(visit.request() instanceof Request.KeepAlive)) {
        return false;
      }
      if (what == KeepAlive.ANSWERED) {
        answer(visit, new Decision.Done());
      }
      return true;
    }
  }

  /** Has no room for anything, not even for what takes none. */
  static final class RefusesWhatIsRemembered extends AroundDoor {
    RefusesWhatIsRemembered(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    public boolean remembers(String principal, Request request) {
      return false;
    }
  }

  /**
   * Takes an undated key for one that is remembered as soon as any record was dropped, as a door
   * that shipped once did. A full table is then told so by the log, with every copy.
   */
  static final class LogsUndatedKeysWhenFull extends AroundDoor {
    LogsUndatedKeysWhenFull(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    public boolean remembers(String principal, Request request) {
      return node.remembers(principal, request)
          || request instanceof Request.Keyed ask
              && outlook.machine().outcome(principal, ask.scope(), ask.key())
                  instanceof Outcome.NoRecordSince;
    }
  }

  /** Believes for ever that a principal which was once short of room is short of it. */
  static final class RoomNeverLookedAtAgain extends AroundDoor {
    private final Map<String, Door.Room> least = new HashMap<>();

    RoomNeverLookedAtAgain(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    public Door.Room room(String principal) {
      return least.merge(
          principal, node.room(principal), (a, b) -> a.bytesLeft() <= b.bytesLeft() ? a : b);
    }

    @Override
    public void room(String principal, Door.Room room) {
      inner.room(principal, room(principal));
    }
  }

  /** Lets the connections wait that it may, and does not look at what they all bring. */
  static final class BytesNotCounted extends AroundDoor {
    BytesNotCounted(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(
          node,
          new DoorLimits(
              limits.entriesOutstanding(),
              limits.entryBytes(),
              limits.entryRequests(),
              limits.waitingPerVisitor(),
              Long.MAX_VALUE),
          outlook);
    }
  }

  /** Takes in whatever comes. */
  static final class WithoutLimits extends AroundDoor {
    WithoutLimits(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, DoorLimits.DEFAULT, outlook);
    }
  }
}
