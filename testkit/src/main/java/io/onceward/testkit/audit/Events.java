package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.replica.LogPlace;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.wire.Difference;
import io.onceward.wire.Timing;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The smaller things that an invariant can hear. */
public final class Events {
  private Events() {}

  /**
   * A decision reached the caller that asked.
   *
   * @param clusterTag which cluster said so
   */
  public record Answered(
      String principal, Request request, long wish, Decision decision, long clusterTag) {}

  /**
   * An outcome reached the caller that asked for it (O1).
   *
   * @param address of the session that the request belongs to; null for keys
   * @param askedAtPosition the greatest position that any caller had an answer from when it asked
   * @param servedAtPosition the last position applied on the node that told it
   */
  public record Told(
      String principal,
      Id id,
      Request.@Nullable Address address,
      Outcome outcome,
      long askedAtPosition,
      long servedAtPosition) {}

  /** What a node shows after it applied an entry. */
  public record Shown(int node, long position, long timeMillis, long ageMillis, long tableBytes) {}

  /** The horizon that a node applies to a scope. */
  public record Horizon(int node, long position, String scope, long horizonMicros) {}

  /**
   * A node's service was asked something.
   *
   * @param name under which it was asked
   * @param principal as whom, as the service was told
   */
  public record Queried(int node, long position, String name, String principal) {}

  /**
   * What a node tells of its tables: all sessions, and how many keys a forget with each of these
   * bounds would drop (K4).
   */
  public record Inventory(
      int node,
      long position,
      List<Replica.SessionView> sessions,
      long beforeMillis,
      long olderRecords,
      long beforeAgeMillis,
      long olderByAge) {}

  /** How a node came to the state that it shows the digest of. */
  public enum Way {
    APPLIED,
    RESTORED,
    REPLAYED
  }

  /** The digest of a node's state. */
  public record Digested(int node, long position, Way way, String digest) {}

  /**
   * All is well again, and the nodes had time to compare themselves.
   *
   * @param since the last position of the log before that time
   * @param own the digests that the node's process has computed because the log asked for them
   * @param difference what its process found; null if nothing
   * @param unconfirmed what it answered as failed and the log has not confirmed
   */
  public record Compared(
      int node,
      long since,
      Map<Long, String> own,
      @Nullable Difference difference,
      List<LogPlace> unconfirmed) {}

  /**
   * A session that had nothing to do, while its client was there and all was well, and an
   * administrator made keep-alive and expiry shorter (C3).
   *
   * @param kept whether the cluster still knows it
   */
  public record Idled(
      String client, Request.Address address, Timing before, Timing after, boolean kept) {}

  /** All faults ended a while ago; this is who still waits for a decision. */
  public record Healed(List<String> undecided, long nowMillis) {}
}
