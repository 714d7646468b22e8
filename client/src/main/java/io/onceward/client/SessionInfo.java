package io.onceward.client;

import io.onceward.ClientKind;
import io.onceward.replica.Request;

/**
 * How a session is, seen from its client.
 *
 * @param watermark the lowest sequence whose reply was not taken
 * @param nextSequence the sequence of the next request
 * @param window how far above the watermark requests are sent
 * @param inFlight requests that were submitted and are not decided
 * @param expiryMillis how long it may be idle before the cluster forgets it, as far as is known
 * @param keepAliveMillis after how long it says that it is there, so that it is not forgotten
 */
public record SessionInfo(
    ClientKind kind,
    String name,
    Request.Address address,
    long watermark,
    long nextSequence,
    int window,
    boolean ordered,
    int inFlight,
    long expiryMillis,
    long keepAliveMillis) {

  public long session() {
    return address.session();
  }

  public long incarnation() {
    return address.incarnation();
  }
}
