package io.onceward.replica;

/**
 * This node and the leader of the log do not agree on a quarantined request: one of them executed
 * it, the other one answered it as failed. Going on would keep two states under one log, so the
 * replica changed nothing and must not go on (E8).
 */
public final class DifferentQuarantinesException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private DifferentQuarantinesException(String what, long position, String start) {
    super(
        "this node differs from the leader: "
            + what
            + ". Nothing of entry "
            + position
            + ", which says so, was applied. Start this node "
            + start
            + ", as the leader was when it applied that request: if the latest snapshot here is"
            + " older, it now does the same. If it stops here again, remove it from the cluster,"
            + " empty its data folder, and add it again with --join");
  }

  static DifferentQuarantinesException executedHere(LogPlace place, long position) {
    return new DifferentQuarantinesException(
        "it executed request " + place + ", which the leader answered as FAILED",
        position,
        "with --quarantine " + place);
  }

  static DifferentQuarantinesException obeyedHere(LogPlace place, long position) {
    return new DifferentQuarantinesException(
        "it answered request "
            + place
            + " as FAILED, since it was started with --quarantine "
            + place
            + ", and the leader executed it",
        position,
        "without --quarantine " + place);
  }
}
