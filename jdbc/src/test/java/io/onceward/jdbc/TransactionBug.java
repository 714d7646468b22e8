package io.onceward.jdbc;

/** A mistake that the transactional home could make; {@link TransactionMeddler} makes it. */
enum TransactionBug {
  /** The business SQL commits without its reply. */
  REPLY_IS_NOT_RECORDED,
  /** What the work wrote before its business error stays. */
  BUSINESS_ERROR_UNDOES_NOTHING,
  /** A business error is answered, and rolled back with its work. */
  BUSINESS_ERROR_IS_NOT_RECORDED,
  /** The claim commits before the work. */
  CLAIM_COMMITS_APART,
  /** A lost answer to the commit means that it did not happen. */
  LOST_COMMIT_DID_NOT_HAPPEN,
  /** A commit whose answer was lost is done again. */
  LOST_COMMIT_RUNS_AGAIN,
  /** A lost answer to the commit means that it happened. */
  LOST_COMMIT_HAPPENED,
  /** Dated keys run although their records may be gone. */
  SKIPS_THE_HORIZON,
  /** Decided requests are dropped before their retention is over. */
  SWEEPS_TOO_EARLY,
  /** Fingerprints are not compared. */
  IGNORES_FINGERPRINTS,
  /** A duplicate key of the work's own is taken for a copy that was there before. */
  TAKES_ANY_DUPLICATE_FOR_A_REPLAY,
  /** Abandoning is confirmed and does nothing. */
  ABANDONING_IS_NOT_RECORDED,
  /** A claim takes over what is decided. */
  RUNS_DECIDED_AGAIN,
  /** A retry is given the reply of whatever was decided last. */
  TELLS_OTHERS_REPLY,
  /** What was answered is on disk only some time later; a crash of the server shows it. */
  COMMITS_ASYNCHRONOUSLY
}
