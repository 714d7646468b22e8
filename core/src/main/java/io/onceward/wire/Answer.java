package io.onceward.wire;

import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.replica.Replica.SessionView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a node answers to one {@link Question}. */
public sealed interface Answer {

  /**
   * The log decided, or the door refused what the log would refuse as well.
   *
   * @param clusterTag which cluster speaks; a new session carries it in all its requests
   */
  record Decided(Decision decision, long clusterTag) implements Answer {}

  record OutcomeTold(Outcome outcome) implements Answer {}

  /**
   * Answers {@link Question.SessionNamed}.
   *
   * @param session null if the name has none
   */
  record SessionTold(@Nullable SessionView session, long clusterTag) implements Answer {}

  /** What the service answered to a query. */
  record QueryTold(Reply reply) implements Answer {}

  record Counted(long records) implements Answer {}

  /** One page of sessions; if it has as many as were asked for, there may be more. */
  record SessionsTold(List<SessionView> sessions) implements Answer {}

  record StatusTold(NodeStatus status) implements Answer {}

  /** A {@link Question.TakeSnapshot} and the like was carried out. */
  record Obeyed(String what) implements Answer {}

  /**
   * This node does not lead; this copy did nothing.
   *
   * @param leader where clients reach the leader, as {@code host:port}; empty if unknown
   */
  record NotLeader(String leader) implements Answer {}

  /** This node cannot serve just now; this copy did nothing. Send it again. */
  record Unavailable(String reason) implements Answer {}

  /** This copy was handed to the log and its fate is not known here (O3). Send it again. */
  record Unknown(String reason) implements Answer {}

  /** The question itself is wrong, or not allowed; it did nothing and never will. */
  record Rejected(String reason) implements Answer {}
}
