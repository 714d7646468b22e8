package io.onceward.testkit.teeth;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Request;
import io.onceward.server.Door;
import io.onceward.server.DoorLimits;
import io.onceward.testkit.world.DoorMaker.Outlook;
import io.onceward.testkit.world.Guest;
import io.onceward.wire.Answer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What can be wrong with keep-alives that wait for an entry to take them along. */
final class ParkingBugs {
  private ParkingBugs() {}

  /**
   * Counts them among the bytes in flight and lets them wait for the tick, however many they are,
   * as a door that shipped once did: then nobody can start the entry that would carry them.
   */
  static final class HoldTheRoom extends AroundDoor {
    private static final int WAITING_BYTES = 128;

    private final Map<Long, Integer> parked = new HashMap<>();
    private final long mostBytes;
    private long parkedBytes;

    HoldTheRoom(Door.Surroundings node, DoorLimits limits, Outlook outlook) {
      super(
          node,
          new DoorLimits(
              limits.entriesOutstanding(),
              limits.entryBytes(),
              limits.entryRequests(),
              limits.waitingPerVisitor(),
              limits.waitingBytes(),
              4 * limits.waitingBytes()),
          outlook);
      this.mostBytes = limits.waitingBytes();
    }

    @Override
    boolean keepsOut(Visit visit) {
      if (parkedBytes + WAITING_BYTES > mostBytes) {
        answer(visit, new Decision.Refused(Refusal.OVERLOADED, "bytes in flight"));
        return true;
      }
      if (visit.request() instanceof Request.KeepAlive) {
        parked.put(visit.ticket(), WAITING_BYTES);
        parkedBytes += WAITING_BYTES;
      }
      return false;
    }

    @Override
    @Nullable Answer told(Guest guest, long ticket, @Nullable Request request, Answer answer) {
      Integer bytes = parked.remove(ticket);
      parkedBytes -= bytes == null ? 0 : bytes;
      return answer;
    }
  }
}
