package io.onceward.client.session;

import io.onceward.Decision;
import io.onceward.replica.Request;

/**
 * What {@link ClientKeys} does to the world around it. It is called from inside an event; an
 * implementation must not call back before the event has returned.
 */
public interface KeyActions {

  /** Sends a copy, which may get lost, be answered late, twice, or never. */
  void send(KeyRequest asked, int copy, Request request);

  /**
   * A request is decided, once for each.
   *
   * @param decision {@link Decision.Replied}, {@link Decision.Abandoned} if that was asked for, or
   *     a {@link Decision.Refused} that is not retried
   */
  void decided(KeyRequest request, Decision decision);

  /** A node will not have it: it is not allowed or not understood, and did nothing. */
  void rejected(KeyRequest request, String reason);

  /** The caller's deadline is over, not the request: it goes on until it is decided (C2). */
  void waitEnded(KeyRequest request);

  /** After {@link ClientKeys#close}: nothing is undecided and nothing is left to acknowledge. */
  void closed();

  /** Random milliseconds to add to a retry delay; none by default (C1). */
  default long jitterMillis() {
    return 0;
  }
}
