package io.onceward.cli.demo;

import org.jspecify.annotations.Nullable;

/** The demo cannot go on; the message is the one line that the user sees. */
final class DemoFailure extends RuntimeException {
  DemoFailure(@Nullable String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  DemoFailure(String message) {
    this(message, null);
  }
}
