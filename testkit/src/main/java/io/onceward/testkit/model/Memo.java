package io.onceward.testkit.model;

import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import org.jspecify.annotations.Nullable;

/** What is remembered of one decided id. */
sealed interface Memo {
  /** It executed. */
  record Executed(Reply reply, @Nullable Fingerprint fingerprint, long position, long timeMillis)
      implements Memo {

    Decision replay() {
      return new Decision.Replied(reply, true, position, timeMillis);
    }

    /** Replays to a copy that asks the same, or does not say what it asks (E7). */
    Decision judge(@Nullable Fingerprint carried) {
      if (carried == null || carried.equals(fingerprint)) {
        return replay();
      }
      return fingerprint == null
          ? new Decision.Refused(Refusal.MISMATCH, "", Refusal.Executed.NOT_THIS_COPY)
          : new Decision.Refused(Refusal.MISMATCH);
    }

    Outcome outcome() {
      return new Outcome.Executed(reply, position, timeMillis);
    }
  }

  /** It executed and its reply was taken (K2). */
  record Acknowledged() implements Memo {}

  /** It was closed before it executed (O2). */
  record Abandoned() implements Memo {}
}
