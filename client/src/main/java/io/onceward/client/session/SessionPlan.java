package io.onceward.client.session;

import io.onceward.ClientKind;
import io.onceward.IdText;
import io.onceward.replica.Limits;
import io.onceward.replica.Request;

/**
 * What a client wants to open.
 *
 * @param name empty for registered clients
 * @param window how far to run ahead of the watermark; 0 for what the cluster sets
 * @param nonceHigh with {@code nonceLow} 128 random bits that no other opening has (S1)
 */
public record SessionPlan(
    ClientKind kind, String name, boolean ordered, int window, long nonceHigh, long nonceLow) {

  public SessionPlan {
    if (name.isEmpty() != (kind == ClientKind.REGISTERED)) {
      throw new IllegalArgumentException(
          "durable and auto clients have a name, registered ones have none; got "
              + kind
              + " named \""
              + name
              + '"');
    }
    if (!name.isEmpty()) {
      checkName(name);
    }
  }

  /**
   * Checks a name before anything is written or sent (L1).
   *
   * @throws IllegalArgumentException if it is empty, too long, or has a lone surrogate
   */
  public static void checkName(String name) {
    IdText.utf8("the name of a client", name, 1, Limits.NAME_BYTES);
  }

  /**
   * The opening.
   *
   * @param fromJournal whether this client goes on where its journal ends, and so resends what is
   *     undecided; otherwise the holes of an inherited window are abandoned (S2)
   */
  Request.Open opening(long clusterTag, long predecessor, boolean fromJournal) {
    return new Request.Open(
        kind, name, nonceHigh, nonceLow, clusterTag, predecessor, fromJournal, ordered, window);
  }
}
