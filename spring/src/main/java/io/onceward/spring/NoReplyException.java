package io.onceward.spring;

import io.onceward.Executed;
import io.onceward.guard.GuardedId;
import io.onceward.guard.Ruling;
import org.jspecify.annotations.Nullable;

/**
 * A method with {@link Once} has no reply to give to this call: it was refused, another copy is
 * running, its outcome is unknown, or its reply was not kept. {@link #executed} says what is known
 * of its effect, {@link #ruling} says it in detail. In a web request it becomes an {@code
 * application/problem+json} with the status that fits.
 */
public final class NoReplyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient GuardedId id;
  private final transient Ruling ruling;

  NoReplyException(GuardedId id, Ruling ruling, String message, @Nullable Throwable cause) {
    super(message + " (request " + id.key() + ")", cause);
    this.id = id;
    this.ruling = ruling;
  }

  static NoReplyException of(GuardedId id, Ruling ruling) {
    if (ruling instanceof Ruling.Refused refused) {
      String limit = refused.limit().isEmpty() ? "" : "; the limit is " + refused.limit();
      return new NoReplyException(
          id, ruling, refused.refusal() + ": " + refused.refusal().advice() + limit, null);
    }
    if (ruling instanceof Ruling.InProgress) {
      return new NoReplyException(
          id, ruling, "the request is running elsewhere; send it again with the same key", null);
    }
    if (ruling instanceof Ruling.Unknown unknown) {
      return new NoReplyException(
          id,
          ruling,
          "it is unknown whether the request took effect; do not send it under another key: "
              + unknown.why(),
          unknown.cause());
    }
    if (ruling instanceof Ruling.NoStore away) {
      return new NoReplyException(
          id,
          ruling,
          "the memory of past requests cannot be reached, so nothing was run; send it again with"
              + " the same key",
          away.cause());
    }
    if (ruling instanceof Ruling.DidNotHappen failed) {
      return new NoReplyException(
          id,
          ruling,
          "the request did not take effect; it may be sent again with the same key",
          failed.cause());
    }
    return notKept(id, ruling, null);
  }

  static NoReplyException notKept(GuardedId id, Ruling ruling, @Nullable Throwable cause) {
    return new NoReplyException(
        id, ruling, "the request executed, once, but its reply is not there to be given", cause);
  }

  public GuardedId id() {
    return id;
  }

  public Ruling ruling() {
    return ruling;
  }

  /** What is known of the effect of the request. */
  public Executed executed() {
    return ruling.executed();
  }
}
