package io.onceward.testkit.teeth;

import io.onceward.Decision;
import io.onceward.replica.LogEntry;
import io.onceward.replica.Request;
import io.onceward.server.Door;
import io.onceward.server.DoorLimits;
import io.onceward.server.Entrance;
import io.onceward.testkit.world.DoorMaker;
import io.onceward.testkit.world.DoorMaker.Outlook;
import io.onceward.testkit.world.Guest;
import io.onceward.wire.Answer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be wrong with what a door logs or tells by itself. */
final class AddingBugs {
  private AddingBugs() {}

  /** Tells who comes how often to speak, but not who is there when that changes. */
  static final class TellsTimingOnce implements DoorMaker {
    @Override
    public Entrance make(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      return HONEST.make(node, limits, outlook);
    }

    @Override
    public boolean tellsChangedTiming() {
      return false;
    }
  }

  /** Stamps entries with whatever the wall clock shows just now. */
  static final class FollowsTheWallClock extends AroundDoor {
    private long latestMillis;

    FollowsTheWallClock(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
    }

    @Override
    public void flush(long stampMillis) {
      latestMillis = Math.max(latestMillis, outlook.wallMillis());
      inner.flush(latestMillis);
    }
  }

  /** Logs what a refused copy acknowledges with every copy, as a door that shipped once did. */
  static final class EveryCopyAcknowledges extends AroundDoor {
    private final ArrayDeque<LogEntry.Proposal> added = new ArrayDeque<>();
    private final int mostInAnEntry;

    EveryCopyAcknowledges(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(node, limits, outlook);
      // The size of entries is not what it breaks.
      this.mostInAnEntry = limits.entryBytes() < 1 << 20 ? 0 : limits.entryRequests();
    }

    @Override
    @Nullable Answer told(Guest guest, long ticket, @Nullable Request request, Answer answer) {
      boolean refused =
          answer instanceof Answer.Decided told
              && told.decision() instanceof Decision.Refused decision
              && !decision.limit().isEmpty();
      if (refused && request instanceof Request.Keyed ask && !ask.acknowledged().isEmpty()) {
        added.add(
            new LogEntry.Proposal(
                guest.principal(), new Request.Acknowledge(ask.scope(), ask.acknowledged())));
      }
      return answer;
    }

    @Override
    public void shut(String leader) {
      added.clear();
      inner.shut(leader);
    }

    @Override
    public void propose(byte[] bytes, Door.Batch batch) {
      LogEntry entry = LogEntry.decode(bytes);
      List<LogEntry.Proposal> proposals = new ArrayList<>(entry.proposals());
      while (!added.isEmpty() && proposals.size() < mostInAnEntry) {
        proposals.add(added.remove());
      }
      node.propose(
          new LogEntry(entry.clusterTag(), entry.stampMillis(), proposals).encode(), batch);
    }

    @Override
    public void decided(Door.Batch batch, List<Decision> decisions) {
      inner.decided(batch, decisions.subList(0, batch.size()));
    }
  }
}
