package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.util.List;
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
   * What a node tells of its tables: all sessions, and how many keys a forget with this bound would
   * drop (K4).
   */
  public record Inventory(
      int node,
      long position,
      List<Replica.SessionView> sessions,
      long beforeMillis,
      long olderRecords) {}

  /** How a node came to the state that it shows the digest of. */
  public enum Way {
    APPLIED,
    RESTORED,
    REPLAYED
  }

  /** The digest of a node's state. */
  public record Digested(int node, long position, Way way, String digest) {}

  /** All faults ended a while ago; this is who still waits for a decision. */
  public record Healed(List<String> undecided, long nowMillis) {}
}
