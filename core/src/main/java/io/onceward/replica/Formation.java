package io.onceward.replica;

import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Decision.Done;
import io.onceward.Decision.Rejected;
import java.util.ArrayList;
import java.util.List;

/**
 * Which cluster this is (S1). A cluster is formed once, by its first entry; it gets another id only
 * by {@link Request.ReformCluster}, which names the id that it had, after a restore from a backup.
 *
 * <p>A second forming entry, which an engine that lost track of the first may log, is refused as a
 * whole: the settings behind it would undo what an administrator has set since.
 */
final class Formation {
  static final Decision ALREADY_FORMED = new Rejected("the cluster is formed already");

  /** Earlier ids only tell a node that was away whom it meets; this many are enough for that. */
  static final int FORMER_IDS = 16;

  private ClusterId clusterId = ClusterId.NONE;
  private final List<ClusterId> former = new ArrayList<>();

  ClusterId clusterId() {
    return clusterId;
  }

  /** Earlier ids, the last one last. */
  List<ClusterId> former() {
    return List.copyOf(former);
  }

  boolean isFormed() {
    return !clusterId.equals(ClusterId.NONE);
  }

  boolean isForeign(long clusterTag) {
    return clusterTag != clusterId.tag();
  }

  boolean belongsTo(ClusterId id) {
    return id.equals(ClusterId.NONE) || id.equals(clusterId) || former.contains(id);
  }

  Decision form(ClusterId id) {
    if (isFormed()) {
      return ALREADY_FORMED;
    }
    if (isUseless(id)) {
      return useless();
    }
    clusterId = id;
    return new Done();
  }

  Decision reform(Request.ReformCluster request) {
    if (!isFormed() || !request.former().equals(clusterId)) {
      return new Rejected("the cluster has the id " + clusterId + ", not " + request.former());
    }
    if (isUseless(request.id()) || request.id().tag() == clusterId.tag()) {
      return useless();
    }
    if (former.size() == FORMER_IDS) {
      former.remove(0);
    }
    former.add(clusterId);
    clusterId = request.id();
    return new Done();
  }

  /** An id whose tag is 0 could not be told from none. */
  private static boolean isUseless(ClusterId id) {
    return id.tag() == 0;
  }

  private static Rejected useless() {
    return new Rejected("a cluster id is 128 random bits, not zero, and another one each time");
  }

  void restore(ClusterId id, List<ClusterId> formerIds) {
    clusterId = id;
    former.clear();
    former.addAll(formerIds);
  }
}
