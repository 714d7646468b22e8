package io.onceward.server;

import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Why something failed, in one line. */
final class Reasons {
  private Reasons() {}

  static String of(Throwable problem) {
    Throwable cause = cause(problem);
    if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
      return "the host name is unknown";
    }
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
  }

  /** What failed, without what futures wrap around it. */
  static Throwable cause(Throwable problem) {
    Throwable cause = problem;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
