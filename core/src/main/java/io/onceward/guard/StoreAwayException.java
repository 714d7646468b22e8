package io.onceward.guard;

/** The store could not be asked, so this copy ran nothing. Send it again later. */
public final class StoreAwayException extends GuardException {
  private static final long serialVersionUID = 1L;

  StoreAwayException(GuardedId id, Ruling.NoStore ruling) {
    super(
        id,
        ruling,
        true,
        "the store could not be asked, so nothing was run; send it again with the same id",
        ruling.cause());
  }
}
