package io.onceward.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * Something is set up or called so that the promise could not be kept. Told apart from the work's
 * own.
 */
final class MisuseException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  MisuseException(String message) {
    this(message, null);
  }

  MisuseException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
