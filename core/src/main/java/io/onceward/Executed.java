package io.onceward;

/**
 * What is known about the effect of a request when its caller is told something else than a reply.
 */
public enum Executed {
  /** It executed, exactly once. */
  YES,
  /** It neither did nor will: the same may be asked under a new id. */
  NEVER,
  /** The copy that was turned away did nothing; an earlier one may have, or may still. */
  NOT_THIS_COPY,
  /** It may have executed, or may still. Ask for the outcome, wait again, or abandon it. */
  UNKNOWN;

  /** What a refusal says, in these words. */
  public static Executed of(Refusal.Executed executed) {
    return switch (executed) {
      case YES -> YES;
      case NEVER -> NEVER;
      case NOT_THIS_COPY -> NOT_THIS_COPY;
    };
  }
}
