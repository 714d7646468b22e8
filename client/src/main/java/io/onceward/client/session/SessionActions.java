package io.onceward.client.session;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.replica.Request;
import java.util.List;

/**
 * What a {@link ClientSession} does to the world around it. It is called from inside the session's
 * events; an implementation must not call the session back before the event has returned.
 */
public interface SessionActions {

  /** Why a session is over. */
  sealed interface End {
    /** It was closed in the log (S9). */
    record Closed() implements End {}

    /** {@code NO_SESSION} or {@code SUPERSEDED}: final, nothing of it is ever sent again (S8). */
    record Lost(Decision.Refused refused) implements End {}

    /** It was never opened, for a reason that waiting does not change. */
    record NotOpened(Decision.Refused refused) implements End {}

    /** A node said that it will not have it: the opening is not allowed or not understood. */
    record Rejected(String reason) implements End {}

    /** This process stopped, without closing the session in the log. */
    record Left() implements End {}
  }

  /**
   * Sends a copy of a request. It may get lost, be answered late, twice, or never; the session
   * takes care of that. Copies that are handed over during one event should travel together and in
   * this order.
   *
   * @param copy goes back with the answer
   */
  void send(SessionRequest asked, int copy, Request request);

  /** Asks which incarnation of a name is the current one, linearizably (S2). As unreliable. */
  void read(SessionRequest asked, int copy, ClientKind kind, String name);

  /** The session is open; requests may be submitted. */
  void opened(Decision.Opened opened, Request.Address address);

  /**
   * A request is decided, once for each.
   *
   * @param decision {@link Decision.Replied}, or a {@link Decision.Refused} that is final and says
   *     whether it executed
   */
  void decided(SessionRequest request, Decision decision);

  /** The caller's deadline is over, not the request: its decision is told when it comes (C2). */
  void waitEnded(SessionRequest request);

  /**
   * The session is over.
   *
   * @param unknown what was submitted and not decided, in order; never resent by anyone (S8)
   */
  void ended(End end, List<SessionRequest> unknown);

  /** Random milliseconds to add to a retry delay; none by default (C1). */
  default long jitterMillis() {
    return 0;
  }
}
