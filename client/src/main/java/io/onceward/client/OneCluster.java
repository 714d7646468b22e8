package io.onceward.client;

import io.onceward.ClusterId;

/**
 * The one cluster that a client speaks to, from the first leader that it finds until it is closed.
 *
 * <p>A key is remembered by the cluster that executed it and by no other. If a client went over to
 * a leader of another cluster, be it because its addresses name two or because the nodes were
 * emptied and formed anew, a retry would execute there a second time.
 */
final class OneCluster {
  private ClusterId id = ClusterId.NONE;

  /** Why a node that says that it leads is not followed; empty if it may be. */
  String flawOfLeader(ClusterId told) {
    if (told.equals(ClusterId.NONE)) {
      return "leads, but has not formed its cluster yet";
    }
    if (id.equals(ClusterId.NONE)) {
      id = told;
    }
    return id.equals(told)
        ? ""
        : "leads cluster "
            + told
            + ", but this client belongs to cluster "
            + id
            + ", which alone knows what it sent; a new client can connect there";
  }
}
