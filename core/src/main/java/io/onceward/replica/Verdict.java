package io.onceward.replica;

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
  record Refuse(Refusal refusal) implements Verdict {
    private static final Refuse[] EACH = each();

    static Refuse because(Refusal refusal) {
      return EACH[refusal.ordinal()];
    }

    private static Refuse[] each() {
      Refusal[] refusals = Refusal.values();
      Refuse[] each = new Refuse[refusals.length];
      for (Refusal refusal : refusals) {
        each[refusal.ordinal()] = new Refuse(refusal);
      }
      return each;
    }
  }
}
