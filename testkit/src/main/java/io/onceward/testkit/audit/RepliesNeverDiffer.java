package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.replica.Request;

/**
 * Every retry is told the bytes, position and log time of the one execution (E3), and every copy of
 * an opening the same session (S1).
 */
public final class RepliesNeverDiffer extends Invariant {
  private final Ledger ledger;

  public RepliesNeverDiffer(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    if (copy.decision() instanceof Decision.Replied replied) {
      if (replied.replay()) {
        Effect effect = ledger.effectOf(copy.principal(), copy.request());
        check(effect != null, "a replay of what never executed", copy);
        check(
            effect != null && effect.isWhat(replied),
            "a retry was told another reply",
            copy,
            "; the first execution was ",
            effect);
      } else {
        check(replied.position() == copy.position(), "a reply from elsewhere is new", copy);
      }
    } else if (copy.request() instanceof Request.Open open) {
      sameOpening(copy, open);
    }
  }

  private void sameOpening(Judged copy, Request.Open open) {
    SessionFact fact = ledger.sessions().foundBy(copy.principal(), open);
    if (fact != null && fact.promised(copy.ageMillis()) && fact.openedWith(open)) {
      check(
          copy.decision() instanceof Decision.Opened opened
              && opened.session() == fact.session
              && opened.incarnation() == fact.incarnation(),
          "a retried opening did not get its session",
          copy);
    }
  }
}
