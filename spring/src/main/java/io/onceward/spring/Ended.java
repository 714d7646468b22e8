package io.onceward.spring;

import io.onceward.Bytes;
import io.onceward.guard.Meaning;

/** Carries what a method threw, and what that means, to the home that the method runs in. */
final class Ended extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Meaning meaning;
  private final transient Bytes error;

  /**
   * @param error what is remembered of a business error
   */
  Ended(Meaning meaning, Bytes error, Throwable thrown) {
    super(thrown.toString(), thrown, false, false);
    this.meaning = meaning;
    this.error = error;
  }

  /** What was thrown: operators read this as the reason why a request is unknown. */
  @Override
  @SuppressWarnings("OverrideThrowableToString") // It stands for what it carries, by that name.
  public String toString() {
    return String.valueOf(getMessage());
  }

  static Meaning meaningOf(Throwable failure) {
    return failure instanceof Ended ended ? ended.meaning : Meaning.UNKNOWN;
  }

  static Bytes errorOf(Throwable failure) {
    return failure instanceof Ended ended ? ended.error : Bytes.EMPTY;
  }
}
