package io.onceward.client;

import io.onceward.RequestId;
import java.util.concurrent.CompletableFuture;

/**
 * A request that an earlier process left in the journal.
 *
 * @param tag what the application called it
 * @param decision completes as that of a submitted request does: at once if it is decided, after a
 *     while if it is resent, and with {@link OutcomeUnknownException} if it is unknown
 */
public record Recovered(
    String tag, RequestId id, State state, CompletableFuture<Decided> decision) {

  /** What is known of it at the moment of opening. */
  public enum State {
    /** It is sent again under the same id. */
    UNDECIDED,
    /** It was decided, and the application has not taken the reply. */
    DECIDED,
    /** Its session is gone: nobody knows, and it is never sent again (S2, S8). */
    UNKNOWN
  }
}
