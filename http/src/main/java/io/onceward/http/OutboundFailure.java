package io.onceward.http;

import io.onceward.guard.Meaning;
import org.jspecify.annotations.Nullable;

/**
 * Why an outbound call has no answer: the cause of the guard's exceptions, which say whether it
 * took effect.
 */
public final class OutboundFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final Meaning meaning;
  private final transient @Nullable StoredResponse response;

  OutboundFailure(
      Meaning meaning, String why, @Nullable StoredResponse response, @Nullable Throwable cause) {
    super(why, cause);
    this.meaning = meaning;
    this.response = response;
  }

  Meaning meaning() {
    return meaning;
  }

  /** What the other side said, if it said something that is not to be remembered. */
  public @Nullable StoredResponse response() {
    return response;
  }
}
