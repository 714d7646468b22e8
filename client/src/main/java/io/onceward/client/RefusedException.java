package io.onceward.client;

import io.onceward.Decision;
import io.onceward.Executed;
import io.onceward.Refusal;
import io.onceward.RequestId;
import org.jspecify.annotations.Nullable;

/** The request was turned away for a reason that waiting does not change. */
public final class RefusedException extends OncewardException {
  private static final long serialVersionUID = 1L;

  private final Refusal refusal;
  private final String limit;

  RefusedException(Decision.Refused refused, @Nullable RequestId id) {
    super(
        message(refused, id),
        Executed.of(refused.executed()),
        refused.refusal().mayResend(),
        id,
        null);
    this.refusal = refused.refusal();
    this.limit = refused.limit();
  }

  private static String message(Decision.Refused refused, @Nullable RequestId id) {
    String effect =
        switch (refused.executed()) {
          case YES -> "it executed";
          case NEVER -> "it did not execute and never will";
          case NOT_THIS_COPY -> "this copy did nothing; an earlier one may have executed";
        };
    return refused.refusal()
        + (refused.limit().isEmpty() ? "" : " (" + refused.limit() + ")")
        + ": "
        + refused.refusal().advice()
        + "; "
        + effect
        + (id == null ? "" : ", id " + id.print());
  }

  public Refusal refusal() {
    return refusal;
  }

  /** The name of the limit that was met, or empty. */
  public String limit() {
    return limit;
  }
}
