package io.onceward.testkit.audit;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Request;

/**
 * What an earlier incarnation sends is refused and displaces nothing (S4), and an opening that does
 * not follow the current incarnation does not take its place (S2).
 */
public final class SupersededNeverExecutes extends Invariant {
  private final Ledger ledger;

  public SupersededNeverExecutes(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    Speech speech = Speech.of(copy, ledger);
    if (speech != null) {
      fenced(copy, speech);
    } else if (copy.request() instanceof Request.Open open
        && open.kind() != ClientKind.REGISTERED) {
      follows(copy, open);
    }
  }

  private void fenced(Judged copy, Speech speech) {
    SessionFact fact = speech.own();
    boolean superseded = Speech.refusedAs(copy, Refusal.SUPERSEDED);
    if (fact != null && !speech.current()) {
      boolean gone = Speech.refusedAs(copy, Refusal.NO_SESSION);
      check(
          speech.superseded() ? superseded || gone : gone,
          "another incarnation than the current one was heard",
          copy,
          "; current was ",
          fact.incarnation());
      check(
          !speech.superseded() || superseded || !fact.promised(copy.ageMillis()),
          "a superseded client was told that its session is gone",
          copy);
    } else {
      check(!superseded, "the current incarnation was refused as superseded", copy);
    }
  }

  private void follows(Judged copy, Request.Open open) {
    SessionFact fact = ledger.sessions().foundBy(copy.principal(), open);
    boolean known = fact != null && !fact.gone();
    if (fact != null && known && fact.promised(copy.ageMillis()) && !fact.openedWith(open)) {
      if (open.predecessor() != fact.incarnation()) {
        check(
            copy.decision() instanceof Decision.Refused,
            "an opening took over without following the current incarnation",
            copy,
            "; current was ",
            fact.incarnation());
      }
    } else if (!known && open.predecessor() != 0) {
      check(
          copy.decision() instanceof Decision.Refused,
          "an opening found another session than its predecessor's",
          copy);
    }
  }
}
