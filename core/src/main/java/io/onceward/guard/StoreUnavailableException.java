package io.onceward.guard;

import org.jspecify.annotations.Nullable;

/** A store did not answer. Whether it took the step is not known; taking it again is safe. */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
