package io.onceward.replica;

import io.onceward.ClusterId;

/**
 * A log holds an entry that a leader of another cluster made. Applying it would mix two histories
 * that only look alike, since both count positions and terms from one: requests that executed in
 * one of them would execute again. The replica has changed nothing and must not go on.
 */
public final class MixedClustersException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  MixedClustersException(long position, long foundTag, ClusterId own) {
    super(
        String.format(
            "two clusters are mixed: entry %d is of the cluster whose id begins with %016x, this node"
                + " is of cluster %s. Nothing of the entry was applied. Remove this node from the"
                + " cluster that it does not belong to; start it there again with an empty folder"
                + " and --join",
            position, foundTag, own.equals(ClusterId.NONE) ? "none yet" : own));
  }
}
