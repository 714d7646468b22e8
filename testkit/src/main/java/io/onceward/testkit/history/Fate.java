package io.onceward.testkit.history;

/** What the whole history knows about one request, all its copies taken together. */
enum Fate {
  /** Nobody heard a decision: it may have executed, or not. */
  UNRESOLVED,
  /** It executed, and somebody heard the reply. */
  ANSWERED,
  /** It executed, but its reply is not kept or has no bytes, so that its serial is not known. */
  UNTOLD,
  /** Somebody was told that it neither did nor will. */
  NEVER
}
