package io.onceward.http;

import io.onceward.guard.Meaning;
import org.jspecify.annotations.Nullable;

/**
 * How the guard is told that a run ended without a reply that may be remembered: by an exception of
 * the application, or by a status that its route takes for unknown or for "did not happen".
 */
final class RunEnded extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Meaning meaning;
  private final @Nullable Throwable thrown;

  private RunEnded(Meaning meaning, String why, @Nullable Throwable thrown) {
    super(why, thrown, false, false);
    this.meaning = meaning;
    this.thrown = thrown;
  }

  static RunEnded withStatus(int status, Meaning meaning) {
    return new RunEnded(meaning, "the application answered with status " + status, null);
  }

  /** The text of an exception may hold secrets and is not stored; its class helps an operator. */
  static RunEnded withException(Throwable thrown, Meaning meaning) {
    return new RunEnded(meaning, "the application threw " + thrown.getClass().getName(), thrown);
  }

  /** The container gave the request up; the application may still work on it. */
  static RunEnded unanswered(String why) {
    return new RunEnded(Meaning.UNKNOWN, why, new IllegalStateException(why));
  }

  Meaning meaning() {
    return meaning;
  }

  /** What the application threw; null if it answered. */
  @Nullable Throwable thrown() {
    return thrown;
  }

  /** What the queue of unknown requests shows: for people, who need no name of a class. */
  @SuppressWarnings("OverrideThrowableToString") // getMessage() would show with that name
  @Override
  public String toString() {
    return String.valueOf(getMessage());
  }
}
