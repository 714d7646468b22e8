package io.onceward.wire;

import io.onceward.Bytes;
import io.onceward.ClientKind;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.Request;

/**
 * What a client asks a node. Everything but {@link Status} is answered by the leader alone; what is
 * not {@link Logged} changes no table and is read linearizably.
 */
public sealed interface Question {

  /** A request for the log, framed by {@link io.onceward.replica.RequestCodec}. */
  record Logged(Bytes frame) implements Question {}

  /** What became of a sequence (O1). */
  record OutcomeOfSequence(Request.Address address, long sequence) implements Question {}

  /** What became of a key (O1). */
  record OutcomeOfKey(Scope scope, Key key) implements Question {}

  /** The session that a durable or auto name has now (S2). */
  record SessionNamed(ClientKind kind, String name) implements Question {}

  /** A question to the service; nothing is remembered. */
  record Query(Bytes question) implements Question {}

  /** How many records a forget with this bound would drop (K4). */
  record CountOlderThan(long beforeMillis) implements Question {}

  /** How many records a forget by age with this bound would drop (K4). */
  record CountByAge(long beforeAgeMillis) implements Question {}

  /**
   * The sessions of all principals, in the order in which they were opened.
   *
   * @param afterSession only those with a greater number; 0 for the first page
   * @param most how many at most
   */
  record ListSessions(long afterSession, int most) implements Question {}

  /**
   * How the asked node is; any node answers, about itself.
   *
   * @param withDigest whether to digest tables and service too, which stops applying for a while
   */
  record Status(boolean withDigest) implements Question {}

  /** Takes a snapshot on the asked node now; any node obeys. */
  record TakeSnapshot() implements Question {}

  /** Makes another member the leader; an empty id lets the node choose. */
  record TransferLeadership(String member) implements Question {}

  /** Adds a member, which must be running with an empty data folder and wait to be added. */
  record AddMember(Member member) implements Question {}

  /** Removes a member. */
  record RemoveMember(String member) implements Question {}
}
