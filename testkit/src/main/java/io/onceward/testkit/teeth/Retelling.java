package io.onceward.testkit.teeth;

import io.onceward.Decision;
import io.onceward.Service;
import io.onceward.replica.LogEntry.Proposal;
import io.onceward.replica.Request;

/**
 * A snapshot with a bug, told as the log that would have led to it: requests are left out, or had
 * their effect without leaving a record. So no bug needs to know a snapshot's layout.
 */
interface Retelling {
  /**
   * One request of the past.
   *
   * @param decision what it was told when it was first applied
   * @param ofLastEntry whether it stands in the last entry before the snapshot
   * @param place its ordinal within the entry, and of how many
   */
  record Told(
      Proposal proposal,
      Request request,
      Decision decision,
      boolean ofLastEntry,
      int place,
      int of) {

    boolean executed() {
      return decision instanceof Decision.Replied replied && !replied.replay();
    }

    /** The effect without the record; nothing at all if there was no effect. */
    Request effectOnly() {
      Request bare = Around.withoutId(request);
      return executed() && bare != null ? bare : new Request.Tick();
    }
  }

  /** What the snapshot knows instead. */
  Request retell(Told told);

  /** The service through which the past is told again. */
  default Service service(Service real) {
    return real;
  }
}
