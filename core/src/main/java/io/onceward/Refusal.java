package io.onceward;

/**
 * Why a copy of a request was turned away, and what its sender may conclude (O3).
 *
 * <p>Only {@link Executed#NEVER} permits sending the same wish under a new id. Anything else leaves
 * open that an earlier copy took effect: ask for the outcome, or abandon the id, which decides.
 */
public enum Refusal {
  MISMATCH(
      Executed.NEVER,
      false,
      "this id was first used for another request; give each request an id of its own"),
  ACKNOWLEDGED(
      Executed.NOT_THIS_COPY,
      false,
      "this request was decided and its reply was acknowledged; its reply is no longer kept"),
  ABANDONED(
      Executed.NEVER,
      false,
      "this id was abandoned before it executed; send the request under a new id"),
  WINDOW_EXCEEDED(
      Executed.NOT_THIS_COPY,
      true,
      "this sequence is further ahead of the watermark than the window allows; take replies first"),
  BAD_WATERMARK(
      Executed.NOT_THIS_COPY,
      true,
      "the watermark passes a request that is not decided; send it again with a true watermark"),
  OUT_OF_ORDER(
      Executed.NOT_THIS_COPY,
      true,
      "an earlier sequence of this ordered session is not decided yet; send it again after that"),
  SUPERSEDED(
      Executed.NOT_THIS_COPY,
      false,
      "a later opening of this name took over; stop, or open the name again on purpose"),
  NO_SESSION(
      Executed.NOT_THIS_COPY,
      false,
      "the session is closed, expired or of another cluster; what was undecided is unknown"),
  FORGOTTEN(
      Executed.NOT_THIS_COPY,
      false,
      "this id is as old as records that were dropped; whether it executed is no longer known"),
  FROM_THE_FUTURE(
      Executed.NOT_THIS_COPY,
      true,
      "this id is dated further ahead of log time than is allowed; check the sender's clock"),
  UNDATED(
      Executed.NOT_THIS_COPY,
      false,
      "this scope accepts dated ids only; use a dated id or a UUIDv7"),
  TOO_LARGE(
      Executed.NOT_THIS_COPY, false, "a part of the request is over its limit; make it smaller"),
  OVERLOADED(
      Executed.NOT_THIS_COPY, true, "there is no room for new requests; send it again later"),
  MALFORMED(
      Executed.NOT_THIS_COPY, false, "the request's bytes do not follow the documented layout");

  /** What is known about the effect of the request, beyond the copy that was turned away. */
  public enum Executed {
    /** It executed, exactly once. */
    YES,
    /** It neither did nor will. For undated keys that holds until their retention ends (K5). */
    NEVER,
    /** This copy did nothing; an earlier copy may have executed, or may still. */
    NOT_THIS_COPY
  }

  private static final Refusal[] BY_CODE = values();
  private final Executed executed;
  private final boolean mayResend;
  private final String advice;

  Refusal(Executed executed, boolean mayResend, String advice) {
    this.executed = executed;
    this.mayResend = mayResend;
    this.advice = advice;
  }

  /**
   * What this refusal tells as a rule; {@link Decision.Refused#executed()} tells it for one case.
   */
  public Executed executed() {
    return executed;
  }

  /** Whether sending the same id again can lead to a decision. */
  public boolean mayResend() {
    return mayResend;
  }

  /** One sentence for the person who reads the error. */
  public String advice() {
    return advice;
  }

  /** The number that stands for this refusal on the wire; new ones are added at the end. */
  public int code() {
    return ordinal();
  }

  public static Refusal ofCode(int code) {
    if (code < 0 || code >= BY_CODE.length) {
      throw new IllegalArgumentException(
          "refusal " + code + " is unknown; 0 to " + (BY_CODE.length - 1) + " are allowed");
    }
    return BY_CODE[code];
  }
}
