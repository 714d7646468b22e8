package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Parameter;

/**
 * The services never take more than they may, are refused only what they have no room for, and can
 * always shrink (B5).
 */
public final class ServicesWithinBound extends Invariant {
  private static final String LIMIT = "kept bytes";

  private final Ledger ledger;
  private long kept;

  public ServicesWithinBound(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    long keeps = Keeping.of(copy.request());
    long limit = ledger.settings().of(Parameter.MAX_SERVICE_BYTES);
    if (copy.executed()) {
      kept = keeps == Keeping.DROPS_ALL ? 0 : kept + keeps;
      check(keeps <= 0 || kept <= limit, "the services took more than they may", copy, "; ", kept);
    } else if (copy.decision() instanceof Decision.Refused refused
        && refused.refusal() == Refusal.OVERLOADED
        && refused.limit().equals(LIMIT)) {
      check(keeps > 0, "what takes no room was refused for lack of it", copy);
      check(kept + keeps > limit, "refused for lack of room that there was", copy, "; ", kept);
    }
  }
}
