package io.onceward.testkit.audit;

import io.onceward.replica.LogEntry;
import io.onceward.server.DoorLimits;
import io.onceward.wire.Answer;
import io.onceward.wire.Question;
import org.jspecify.annotations.Nullable;

/** What passes through a leader's door, each with the number of the door in the run. */
public final class DoorEvents {
  private DoorEvents() {}

  /** A process started with a new door. */
  public record Built(long door, DoorLimits limits) {}

  /**
   * A question was brought to the door.
   *
   * @param visit its number at this door
   * @param visitor the connection that it came by
   * @param bytesLeft what the principal may still add to the tables of the door's node
   */
  public record Arrived(
      long door,
      long visit,
      Object visitor,
      String principal,
      Question question,
      long nowMillis,
      long bytesLeft,
      long maxReplyBytes) {}

  /**
   * The door let an answer out.
   *
   * @param question what it answers; null if that was answered before
   * @param byTheLog whether the log just decided it; else the door spoke for itself
   * @param mayRefuse whether its node leads and has applied an entry of its own term
   * @param appliedPosition the last position that its node has applied
   * @param bytesLeft what the principal may still add to the tables of that node
   */
  public record Returned(
      long door,
      long visit,
      String principal,
      @Nullable Question question,
      Answer answer,
      boolean byTheLog,
      boolean mayRefuse,
      long appliedPosition,
      long bytesLeft,
      long maxReplyBytes,
      long maxCommandBytes) {}

  /**
   * The door handed an entry to the log.
   *
   * @param reign how often the process has been told that it leads
   * @param nowMillis true time, whatever the clocks of nodes show
   * @param batch what the log gives back with it
   */
  public record Proposed(long door, long reign, long nowMillis, LogEntry entry, Object batch) {}

  /**
   * A look at a door, as there is one every so often.
   *
   * @param reign which time it is that its node leads, or led last
   * @param open whether its node leads and lets requests in
   * @param timeMatters whether anything can expire, or a keep-alive waits for the next entry
   * @param appliedPosition the last position that its node has applied
   */
  public record Looked(
      long door,
      long reign,
      long nowMillis,
      boolean open,
      boolean timeMatters,
      long appliedPosition) {}

  /** The log gave an entry back, applied or lost. */
  public record Settled(long door, Object batch) {}

  /** The process died, and its door with it. */
  public record Gone(long door) {}
}
