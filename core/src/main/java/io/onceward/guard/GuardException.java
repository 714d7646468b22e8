package io.onceward.guard;

import io.onceward.Executed;
import org.jspecify.annotations.Nullable;

/** {@link Once} has no result to give. Says whether the request took effect and what to do next. */
public abstract class GuardException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient GuardedId id;
  private final Executed executed;
  private final boolean mayResend;

  GuardException(
      GuardedId id,
      Executed executed,
      boolean mayResend,
      String message,
      @Nullable Throwable cause) {
    super(message + " (request " + id.key() + ")", cause);
    this.id = id;
    this.executed = executed;
    this.mayResend = mayResend;
  }

  public GuardedId id() {
    return id;
  }

  /** What is known about the effect of the request. */
  public Executed executed() {
    return executed;
  }

  /** Whether sending the same id again can lead to a decision. */
  public boolean mayResend() {
    return mayResend;
  }
}
