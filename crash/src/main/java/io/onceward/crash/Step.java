package io.onceward.crash;

/** Where a process is when it is killed. */
public enum Step {
  CLAIM_BEFORE("before the claim"),
  CLAIM_NOT_SENT("claim written, not sent"),
  CLAIM_HALF_SENT("claim half sent"),
  CLAIM_SENT("claim sent"),
  CLAIM_UNHEARD("claim taken, not heard"),
  CLAIM_AFTER("after the claim"),

  WORK_SENT("first business statement sent"),
  WORK_BETWEEN("between business statements"),
  COMMIT_BEFORE("before the commit"),
  COMMIT_HALF_SENT("reply and commit half sent"),
  COMMIT_SENT("reply and commit sent"),
  COMMIT_AFTER("after the commit"),

  CALL_HALF_SENT("call half sent"),
  CALL_SENT("call sent"),
  CALL_ANSWERED("call answered, not read"),
  DONE_BEFORE("after the call"),
  DONE_NOT_SENT("done written, not sent"),
  DONE_HALF_SENT("done half sent"),
  DONE_SENT("done sent"),
  DONE_UNHEARD("done taken, not heard"),
  DONE_AFTER("after done"),

  SUBMIT_BEFORE("before it is submitted"),
  SUBMIT_DURING("at any time after that"),
  SUBMIT_NOT_SENT("journaled, not sent"),
  SUBMIT_UNHEARD("executed, not heard"),
  SUBMIT_AFTER("decided, not told"),

  ANSWER_HALF_SENT("while answering"),
  ANSWER_AFTER("after the answer"),

  /** Not killed at first: it wakes up when another run has taken over. */
  PAUSED("paused before the call, overtaken");

  private final String words;

  Step(String words) {
    this.words = words;
  }

  public String inWords() {
    return words;
  }

  /** What a process is doing when it speaks to a store or a cluster. */
  public enum Phase {
    CLAIM,
    WORK,
    COMMIT,
    DONE,
    SUBMIT;

    /** The step at a moment of this phase; the moment is the end of its name. */
    public Step at(Moment moment) {
      return Step.valueOf(name() + "_" + moment.name());
    }
  }

  /** A moment of a {@link Phase}. */
  public enum Moment {
    BEFORE,
    NOT_SENT,
    HALF_SENT,
    SENT,
    DURING,
    UNHEARD,
    AFTER
  }
}
