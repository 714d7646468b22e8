package io.onceward.guard;

import io.onceward.Refusal;

/** This copy was turned away and did nothing. */
public final class RefusedByGuardException extends GuardException {
  private static final long serialVersionUID = 1L;

  private final Refusal refusal;

  RefusedByGuardException(GuardedId id, Ruling.Refused refused) {
    super(
        id,
        refused,
        refused.refusal().mayResend(),
        refused.refusal()
            + ": "
            + refused.refusal().advice()
            + (refused.limit().isEmpty() ? "" : "; the limit is " + refused.limit()),
        null);
    refusal = refused.refusal();
  }

  public Refusal refusal() {
    return refusal;
  }
}
