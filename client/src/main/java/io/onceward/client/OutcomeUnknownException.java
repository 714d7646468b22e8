package io.onceward.client;

import io.onceward.Executed;
import io.onceward.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * The wait is over, not the request: nobody knows (yet) whether it executed. With the id one can
 * ask for the outcome, wait again, or abandon it, which decides (C2).
 */
public final class OutcomeUnknownException extends OncewardException {
  private static final long serialVersionUID = 1L;

  private final String why;

  OutcomeUnknownException(String why, @Nullable RequestId id) {
    super(
        why
            + (id == null
                ? "; it has no id, so nobody can find out whether it executed"
                : "; whether "
                    + id.print()
                    + " executed is not known: ask for its outcome, or abandon it"),
        Executed.UNKNOWN,
        id != null,
        id,
        null);
    this.why = why;
  }

  /** Why it is not known, in a few words. */
  public String why() {
    return why;
  }
}
