package io.onceward.testkit.guards;

/** A mistake that a store could make; {@link BuggyStore} makes it. */
public enum StoreBug {
  /** The end of a lease frees the request. */
  RUNS_LAPSED_AGAIN,
  /** A run that does not know what it did frees the request. */
  RELEASES_THE_UNKNOWN,
  /** Who meets a running request may run it too. */
  STARTS_TWICE,
  /** A completion is confirmed and not kept. */
  FORGETS_COMPLETIONS,
  /** A completion of an unknown request is confirmed, and frees it. */
  RELEASES_ON_LATE_COMPLETION,
  /** A reply loses its end. */
  CUTS_REPLIES,
  /** A business error comes back as a success. */
  CHANGES_THE_KIND,
  /** A release is confirmed and not kept. */
  FORGETS_RELEASES,
  /** Fingerprints are not compared. */
  IGNORES_FINGERPRINTS,
  /** One scope is as good as another. */
  IGNORES_SCOPES,
  /** One principal is as good as another. */
  IGNORES_PRINCIPALS,
  /** A decided request runs again. */
  RUNS_DECIDED_AGAIN,
  /** An acknowledged request runs again. */
  RUNS_ACKNOWLEDGED_AGAIN,
  /** A dated key that was dropped runs again. */
  RUNS_FORGOTTEN_AGAIN,
  /** An abandoned request runs all the same. */
  RUNS_ABANDONED,
  /** Abandoning is confirmed and does nothing. */
  FORGETS_ABANDONMENTS,
  /** What is running is closed. */
  CLOSES_THE_RUNNING,
  /** What executed is closed. */
  CLOSES_THE_EXECUTED,
  /** What is unknown is closed. */
  CLOSES_THE_UNKNOWN,
  /** Every completion names the current run. */
  IGNORES_FENCES,
  /** What executed was never seen. */
  DENIES_OUTCOMES,
  /** What is new is called dropped. */
  CALLS_THE_NEW_FORGOTTEN,
  /** A retry is given the reply of whatever completed last. */
  TELLS_OTHERS_REPLY,
  /** What was unknown once takes up room for ever. */
  KEEPS_THE_ROOM_OF_THE_UNKNOWN,
  /** Sweeps find nothing to do. */
  NEVER_SWEEPS,
  /** A re-run has the fence of the run before it. */
  REPEATS_FENCES,
  /** What was unknown is gone after a while. */
  FORGETS_THE_UNKNOWN
}
