package io.onceward.grpc;

import io.onceward.guard.Meaning;

/** How the guard is told that a run ended with a status that is not to be remembered. */
final class CallEnded extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Meaning meaning;

  CallEnded(Meaning meaning, String why) {
    super(why, null, false, false);
    this.meaning = meaning;
  }

  Meaning meaning() {
    return meaning;
  }

  /** What the queue of unknown requests shows: for people, who need no name of a class. */
  @SuppressWarnings("OverrideThrowableToString") // getMessage() would show with that name
  @Override
  public String toString() {
    return String.valueOf(getMessage());
  }
}
