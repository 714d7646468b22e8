package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Request;
import org.jspecify.annotations.Nullable;

/**
 * A session that expired or was closed is gone entirely: nothing of it executes, is replayed or
 * keeps it alive ever again (S7, S8).
 */
public final class ExpiredNeverExecutes extends Invariant {
  private final Ledger ledger;

  public ExpiredNeverExecutes(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    Speech speech = Speech.of(copy, ledger);
    if (speech != null) {
      if (speech.foreign() || isGone(speech.fact(), copy)) {
        check(
            Speech.refusedAs(copy, Refusal.NO_SESSION) && !copy.executed(),
            "a session that is gone was heard",
            copy);
      }
    } else if (copy.request() instanceof Request.Open open
        && copy.decision() instanceof Decision.Opened opened) {
      SessionFact found = ledger.sessions().foundBy(copy.principal(), open);
      check(
          !isGone(found, copy) || found == null || opened.session() != found.session,
          "a session that is gone was opened again",
          copy);
    }
  }

  private static boolean isGone(@Nullable SessionFact fact, Judged copy) {
    return fact != null && (fact.gone() || fact.mustHaveExpired(copy.ageMillis()));
  }
}
