package io.onceward.guard;

/**
 * The request was started and nobody knows whether it took effect. It is not run again until that
 * is known. Where only an answer was lost, the same id, sent again, finds out ({@link
 * #resendSettles}); otherwise a probe or an operator has to resolve it, and after that the same id
 * gets the decision. The cause is what the effect threw, if it was this copy that ran it.
 */
public final class UnknownOutcomeException extends GuardException {
  private static final long serialVersionUID = 1L;

  private final boolean resendSettles;

  UnknownOutcomeException(GuardedId id, Ruling.Unknown unknown) {
    super(
        id,
        unknown,
        true,
        "it is unknown whether the request took effect; do not send it under another id, "
            + (unknown.resendSettles()
                ? "but send it again under the same one, which settles it: "
                : "a probe or an operator has to resolve it: ")
            + unknown.why(),
        unknown.cause());
    resendSettles = unknown.resendSettles();
  }

  /** Whether the same id, sent again, finds out what happened. */
  public boolean resendSettles() {
    return resendSettles;
  }
}
