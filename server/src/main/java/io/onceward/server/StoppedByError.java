package io.onceward.server;

import io.onceward.ClusterId;
import io.onceward.replica.LogPlace;
import io.onceward.replica.Replica;

/** An {@code Error} in the midst of an entry: this node has to stop, and says what to do (E8). */
final class StoppedByError extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private StoppedByError(String what) {
    super(what);
  }

  static StoppedByError in(Replica replica, Error error) {
    StoppedByError stopped =
        new StoppedByError(
            replica.ordinal() == Replica.BETWEEN_REQUESTS
                ? entry(replica, error)
                : request(replica, error));
    stopped.addSuppressed(error);
    return stopped;
  }

  private static String entry(Replica replica, Error error) {
    return "entry "
        + replica.position()
        + " stopped this node with "
        + error
        + ", outside of its requests: before them, while what is due expires, or after them. No"
        + " request is to blame, so --quarantine does not help. Start the node again; if it stops"
        + " here again, give it more memory or repair its services";
  }

  private static String request(Replica replica, Error error) {
    LogPlace place = new LogPlace(replica.position(), replica.ordinal());
    ClusterId cluster = replica.clusterId();
    return "request "
        + place
        + " stopped this node with "
        + error
        + ". Start the node again first: only this node may be affected, for example if it is short"
        + " of memory. If every node that executes the request stops, have it answered as FAILED"
        + " instead: start all nodes with --quarantine "
        + place
        + (cluster.equals(ClusterId.NONE) ? "" : "@" + cluster);
  }
}
