package io.onceward.testkit.audit;

import io.onceward.Refusal;
import io.onceward.replica.Request;

/**
 * Requests of an ordered session take effect in sequence order (S6), and no session runs further
 * ahead of its watermark than its window (S5).
 */
public final class OrderIsKept extends Invariant {
  private final Ledger ledger;

  public OrderIsKept(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    Speech speech = Speech.of(copy, ledger);
    SessionFact fact = speech == null ? null : speech.own();
    if (fact == null || !(copy.request() instanceof Request.InSession ask)) {
      return;
    }
    boolean gap = ask.sequence() > fact.frontier();
    if (copy.repliedFirst()) {
      check(!gap || !fact.ordered(), "a request overtook another of its ordered session", copy);
      long watermark = Math.max(fact.watermark(), ask.watermark());
      check(ask.sequence() < watermark + fact.window(), "a request beyond the window", copy);
    } else if (Speech.refusedAs(copy, Refusal.OUT_OF_ORDER)) {
      check(gap && fact.ordered(), "refused as out of order without need", copy);
    }
  }
}
