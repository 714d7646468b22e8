package io.onceward.guard;

/**
 * The effect said that it did not happen, or was not begun. The same id may be sent again and then
 * runs. The cause is what the effect threw.
 */
public final class DidNotHappenException extends GuardException {
  private static final long serialVersionUID = 1L;

  DidNotHappenException(GuardedId id, Ruling.DidNotHappen ruling) {
    super(
        id,
        ruling,
        true,
        "the request did not take effect; it may be sent again with the same id",
        ruling.cause());
  }
}
