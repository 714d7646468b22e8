package io.onceward.cli;

import org.jspecify.annotations.Nullable;

/** A command cannot do what it was asked to; its message is the one line that the user sees. */
final class CommandFailure extends RuntimeException {
  private final transient ExitCode exit;
  private final transient Json details;

  CommandFailure(ExitCode exit, String message) {
    this(exit, message, new Json(), null);
  }

  /**
   * A failure with more to tell.
   *
   * @param details what {@code --json} shows beside the message
   */
  CommandFailure(ExitCode exit, String message, Json details, @Nullable Throwable cause) {
    super(message, cause);
    this.exit = exit;
    this.details = details;
  }

  /** The one line that the user sees. */
  String sentence() {
    return String.valueOf(getMessage());
  }

  ExitCode exit() {
    return exit;
  }

  Json details() {
    return details;
  }
}
