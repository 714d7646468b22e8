package io.onceward.jdbc;

import io.onceward.guard.Ruling;

/** How one attempt, which is one transaction, ended. */
sealed interface Outcome {
  /** There is nothing more to try. */
  record Decided(Ruling ruling) implements Outcome {}

  /** The transaction failed for a reason that is no answer to the request. */
  record RunAgain(Throwable cause, Doubt doubt) implements Outcome {}

  /**
   * The commit failed, or something behind it, so that nobody knows whether it happened; and why it
   * failed is no reason to run it again. Claiming once more tells.
   */
  record CommitFailed(Throwable cause) implements Outcome {}

  /** A claim that waited was cancelled, by a statement_timeout for example: it may wait again. */
  record WaitCut() implements Outcome {}

  /** What is not known about a transaction that failed. */
  enum Doubt {
    /** It is rolled back, and why is known. */
    NONE,
    /**
     * It is rolled back, and the business code has swallowed why: perhaps a deadlock, perhaps an
     * error that comes again each time.
     */
    REASON,
    /** It may have committed: claiming again will tell. */
    COMMIT
  }
}
