package io.onceward.jdbc;

import io.onceward.Executed;
import io.onceward.guard.Ask;
import io.onceward.guard.Ruling;
import org.jspecify.annotations.Nullable;

/**
 * {@link OnceTransaction#execute} has no reply to give: the copy was refused, another one is in
 * progress, the database could not be asked, or it is not known whether a commit succeeded. {@link
 * #executed} tells what may be concluded; sending the same id again is always safe.
 */
public final class NotDecidedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Ruling ruling;
  private final Executed executed;

  NotDecidedException(Ask ask, Ruling ruling) {
    super("no reply for the request " + ask.id().key() + ": " + ruling, causeOf(ruling));
    this.ruling = ruling;
    this.executed = ruling.executed();
  }

  /** All that is known. */
  public Ruling ruling() {
    return ruling;
  }

  /** Whether the request took effect, as far as is known. */
  public Executed executed() {
    return executed;
  }

  private static @Nullable Throwable causeOf(Ruling ruling) {
    if (ruling instanceof Ruling.NoStore gone) {
      return gone.cause();
    }
    return ruling instanceof Ruling.Unknown unknown ? unknown.cause() : null;
  }
}
