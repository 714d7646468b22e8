package io.onceward.guard;

import io.onceward.Reply;
import org.jspecify.annotations.Nullable;

/**
 * The request took effect, once, and what it answered is not there to be given: it was over the
 * limit (E9), or could not be encoded or decoded.
 */
public final class ReplyNotKeptException extends GuardException {
  private static final long serialVersionUID = 1L;

  private final boolean tooLarge;

  ReplyNotKeptException(GuardedId id, Ruling.Replied replied, @Nullable Throwable cause) {
    super(
        id,
        replied,
        false,
        isTooLarge(replied)
            ? "the request executed, but its reply is over the limit and is not kept"
            : "the request executed, but its reply could not be encoded or decoded",
        cause);
    tooLarge = isTooLarge(replied);
  }

  private static boolean isTooLarge(Ruling.Replied replied) {
    return replied.reply().kind() == Reply.Kind.REPLY_TOO_LARGE;
  }

  /** Whether it was over the limit. */
  public boolean tooLarge() {
    return tooLarge;
  }
}
