package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import io.onceward.replica.RequestCodec;
import io.onceward.testkit.audit.Id;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What callers send to nodes, and what they hear. */
public final class Ask {
  private Ask() {}

  /**
   * One copy of a request on its way.
   *
   * @param caller the endpoint that wants to know
   * @param ticket the caller's own number for this question
   */
  public record Copy(int caller, long ticket, String principal, Request request, Bytes frame) {
    static Copy of(int caller, long ticket, String principal, Request request) {
      return new Copy(caller, ticket, principal, request, Bytes.of(RequestCodec.encode(request)));
    }
  }

  /**
   * Asks what became of a request (O1).
   *
   * @param address of the session that it belongs to; null for keys
   */
  public record OutcomeQuery(
      int caller,
      long ticket,
      String principal,
      Id id,
      Request.@Nullable Address address,
      long askedAtPosition) {}

  /** Asks which incarnation of a name is the current one (S2). */
  public record SessionQuery(
      int caller, long ticket, String principal, ClientKind kind, String name) {}

  /** What comes back. */
  sealed interface Answer {
    /** The log of this cluster decided, at this position. */
    record Decided(Decision decision, long position, long clusterTag) implements Answer {}

    /** Somebody else may know; -1 if this node has no idea who. */
    record NotLeader(int leader) implements Answer {}

    record OutcomeTold(Outcome outcome, long servedAtPosition) implements Answer {}

    record SessionTold(Optional<Replica.SessionView> session, long clusterTag) implements Answer {}
  }
}
