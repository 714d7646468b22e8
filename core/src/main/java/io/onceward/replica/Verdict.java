package io.onceward.replica;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.Reply;

/** What a table decides about one copy of a request. The log alone determines it. */
sealed interface Verdict {
  /** It has not executed: execute it now, then remember the reply. */
  record Execute() implements Verdict {
    static final Execute NOW = new Execute();
  }

  /** It executed at this position; answer what it answered then. */
  record Replay(Reply reply, long position, long timeMillis) implements Verdict {}

  /** This copy must not execute. */
  record Refuse(Decision.Refused decision) implements Verdict {
    private static final Refuse[] EACH = each();
    private static final Refuse UNCHECKED_MISMATCH =
        new Refuse(new Decision.Refused(Refusal.MISMATCH, "", Refusal.Executed.NOT_THIS_COPY));

    static Refuse because(Refusal refusal) {
      return EACH[refusal.ordinal()];
    }

    /**
     * The copy carries another fingerprint than the execution, or one where the execution had none.
     * In the latter case nobody knows whether they ask the same, so "never" would be a guess (O3).
     */
    static Refuse mismatch(boolean executionHadFingerprint) {
      return executionHadFingerprint ? because(Refusal.MISMATCH) : UNCHECKED_MISMATCH;
    }

    private static Refuse[] each() {
      Refusal[] refusals = Refusal.values();
      Refuse[] each = new Refuse[refusals.length];
      for (Refusal refusal : refusals) {
        each[refusal.ordinal()] = new Refuse(new Decision.Refused(refusal));
      }
      return each;
    }
  }
}
