package io.onceward.spring;

import org.jspecify.annotations.Nullable;

/**
 * A call of a method with {@link Once} has no key, or something that is none. Nothing was run. In a
 * web request it becomes status 400.
 */
public final class KeyException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final boolean missing;

  KeyException(boolean missing, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.missing = missing;
  }

  /** Whether there is no key at all. */
  public boolean missing() {
    return missing;
  }
}
