package io.onceward.guard;

/**
 * The request was started and nobody knows whether it took effect. It is not run again until a
 * probe or an operator has resolved it; after that, the same id gets the decision. The cause is
 * what the effect threw, if it was this copy that ran it.
 */
public final class UnknownOutcomeException extends GuardException {
  private static final long serialVersionUID = 1L;

  UnknownOutcomeException(GuardedId id, Ruling.Unknown unknown) {
    super(
        id,
        unknown,
        true,
        "it is unknown whether the request took effect; do not send it under another id: "
            + unknown.why(),
        unknown.cause());
  }
}
