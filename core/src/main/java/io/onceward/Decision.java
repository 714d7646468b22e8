package io.onceward;

/** What the log decided about one copy of a request. Every replica decides the same. */
public sealed interface Decision {

  /**
   * The request executed, now or earlier.
   *
   * @param replay whether this copy was a retry that got the remembered reply
   * @param position the log position of the execution
   * @param timeMillis log time of the execution
   */
  record Replied(Reply reply, boolean replay, long position, long timeMillis) implements Decision {}

  /**
   * A session is open.
   *
   * @param session the name of the session: the incarnation at which it was first opened
   * @param incarnation what requests of this client carry from now on
   * @param watermark the lowest sequence whose reply is kept
   * @param nextSequence one above the highest sequence that was ever decided
   * @param window how far above the watermark the client may run ahead
   * @param ordered whether requests take effect in sequence order
   */
  record Opened(
      long session,
      long incarnation,
      long watermark,
      long nextSequence,
      int window,
      boolean ordered)
      implements Decision {}

  /**
   * This copy was turned away and did nothing.
   *
   * @param limit the name of the limit that was met, or empty
   * @param executed what is known beyond this copy; as a rule that of the refusal
   */
  record Refused(Refusal refusal, String limit, Refusal.Executed executed) implements Decision {
    public Refused(Refusal refusal, String limit) {
      this(refusal, limit, refusal.executed());
    }

    public Refused(Refusal refusal) {
      this(refusal, "");
    }
  }

  /**
   * The id is closed: it did not execute, and every late copy is refused (O2).
   *
   * @param forEver false for undated keys, which are closed until their retention ends
   */
  record Abandoned(boolean forEver) implements Decision {}

  /** A keep-alive, close, acknowledgement, tick or setting took effect. */
  record Done() implements Decision {}

  /** Records and tombstones that were dropped by a forget. */
  record Forgot(long records) implements Decision {}

  /** An administrator's command that is not allowed; it changed nothing. */
  record Rejected(String reason) implements Decision {}
}
