package io.onceward;

/** What is known about a request id when somebody asks (O1). Asking decides nothing. */
public sealed interface Outcome {

  /** It executed, once; this is what it answered. */
  record Executed(Reply reply, long position, long timeMillis) implements Outcome {}

  /**
   * It was decided, the client took the decision, and it is no longer kept. A key executed; a
   * sequence executed or was abandoned, and which of the two is not known any more.
   */
  record Acknowledged() implements Outcome {}

  /** It was abandoned before it executed. */
  record Abandoned() implements Outcome {}

  /**
   * There is no record, and records this old have been dropped: it may have executed before.
   *
   * @param horizonMicros the date up to which records are gone, in microseconds since the epoch
   */
  record NoRecordSince(long horizonMicros) implements Outcome {}

  /** No copy of it was applied. That is not a decision: a copy may still be under way. */
  record NeverSeen() implements Outcome {}

  /**
   * The session is closed, expired, or never was, or the sequence is not one that the incarnation
   * which asks can be told of (S4); whether the request executed is not known.
   */
  record NoSession() implements Outcome {}
}
