package io.onceward.guard;

import io.onceward.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The request was refused for a reason of its own domain, now or by an earlier copy, and that is
 * its decision. Thrown where the original exception cannot be: because it is checked, or because
 * {@link Once.Builder#businessError} was not told how to make it again from its bytes.
 */
public final class BusinessErrorException extends GuardException {
  private static final long serialVersionUID = 1L;

  private final transient Bytes error;
  private final boolean replay;

  BusinessErrorException(
      GuardedId id, Ruling.Replied replied, Bytes error, @Nullable Throwable cause) {
    super(id, replied, false, "business error: " + error, cause);
    this.error = error;
    replay = replied.replay();
  }

  /** What is remembered of it. */
  public Bytes error() {
    return error;
  }

  /** Whether this copy was given the error of another, earlier or at the same time. */
  public boolean replay() {
    return replay;
  }
}
