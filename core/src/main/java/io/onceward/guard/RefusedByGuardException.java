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
        refused.refusal() + ": " + refused.refusal().advice() + limit(refused.limit()),
        null);
    refusal = refused.refusal();
  }

  private static String limit(String limit) {
    if (limit.isEmpty()) {
      return "";
    }
    return "; the limit is "
        + limit
        + (limit.equals(ClaimStore.UNKNOWN_REQUESTS)
            ? ": too many wait for a word on what became of them; Guard.unknowns lists them,"
                + " Guard.resolve settles them"
            : "");
  }

  public Refusal refusal() {
    return refusal;
  }
}
