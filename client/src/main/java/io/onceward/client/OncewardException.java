package io.onceward.client;

import io.onceward.Executed;
import io.onceward.RequestId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something other than a successful reply. Whatever it is, it says whether the request executed,
 * whether the same request may be sent again, and under which id; the message says what to do.
 */
public abstract class OncewardException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Executed executed;
  private final boolean mayResend;
  private final transient @Nullable RequestId requestId;

  OncewardException(
      String message,
      Executed executed,
      boolean mayResend,
      @Nullable RequestId requestId,
      @Nullable Throwable cause) {
    super(message, cause);
    this.executed = executed;
    this.mayResend = mayResend;
    this.requestId = requestId;
  }

  /** Whether the request executed; only {@link Executed#NEVER} permits a new id for it. */
  public Executed executed() {
    return executed;
  }

  /** Whether sending it again <em>under the same id</em> can lead to a decision. */
  public boolean mayResend() {
    return mayResend;
  }

  /** The id of the request; empty if it never got one, or the failure concerns no request. */
  public Optional<RequestId> requestId() {
    return Optional.ofNullable(requestId);
  }
}
