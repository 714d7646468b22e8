package io.onceward.wire;

import io.onceward.ClusterId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a node is, told by itself.
 *
 * @param role "leader", "follower", "candidate", or "starting"
 * @param leader id of the member it takes for the leader; empty if unknown
 * @param position the last position that it applied
 * @param committed the last position that it knows to be committed
 * @param snapshotPosition the position of its latest snapshot; 0 if there is none
 * @param timeMillis log time
 * @param ageMillis age
 * @param tableBytes what sessions and keys account for
 * @param digest of the tables and the service at {@code position}; empty unless it was asked for
 * @param decided requests that this process has decided as leader since it started
 * @param replays of these, how many were answered with an earlier reply
 * @param coalesced copies that waited for a twin and were never logged
 * @param clockMillis the wall clock of the node
 * @param services the names of the services that it can host, in force or not
 * @param difference how its replica was found to differ from the leader's; null if it was not
 */
public record NodeStatus(
    String id,
    String version,
    ClusterId clusterId,
    String role,
    String leader,
    List<Member> members,
    long term,
    long position,
    long committed,
    long snapshotPosition,
    long timeMillis,
    long ageMillis,
    long sessions,
    long keys,
    long tableBytes,
    String digest,
    long decided,
    long replays,
    long coalesced,
    long clockMillis,
    List<String> services,
    @Nullable Difference difference) {

  /**
   * How far log time is ahead of this node's clock; negative if behind, as it is by up to a
   * keep-alive interval while nothing happens (T2). 0 if the node does not tell its clock.
   */
  public long logTimeAheadMillis() {
    return clockMillis == 0 ? 0 : timeMillis - clockMillis;
  }
}
