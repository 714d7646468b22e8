package io.onceward.server.engine.ratis;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The first thing that made it impossible to go on; whatever comes after it is a consequence. */
final class Failure {

  record Reason(String what, Throwable cause) {}

  private @Nullable Reason first;
  private @Nullable Consumer<Reason> consequence;
  private volatile boolean happened;

  /** Nothing may be applied once this is true. */
  boolean happened() {
    return happened;
  }

  void fail(String what, Throwable cause) {
    Reason reason = new Reason(what, cause);
    Consumer<Reason> next;
    synchronized (this) {
      if (first != null) {
        return;
      }
      first = reason;
      happened = true;
      next = consequence;
    }
    if (next != null) {
      next.accept(reason);
    }
  }

  /** What has happened so far, if anything; what happens from now on has this consequence. */
  synchronized @Nullable Reason from(Consumer<Reason> consequence) {
    this.consequence = consequence;
    return first;
  }

  synchronized @Nullable Reason first() {
    return first;
  }

  /** What an operator can use of an exception: a plain message, else that of what started it. */
  static String reason(Throwable problem) {
    Throwable deepest = problem;
    String message = null;
    for (Throwable t = problem; t != null; t = t.getCause()) {
      if (t instanceof PlainException plain) {
        return String.valueOf(plain.getMessage());
      }
      deepest = t;
      if (t.getMessage() != null
          && !(t instanceof CompletionException || t instanceof ExecutionException)) {
        message = t.getMessage();
      }
    }
    return message == null ? deepest.toString() : message;
  }
}
