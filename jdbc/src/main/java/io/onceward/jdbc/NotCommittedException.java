package io.onceward.jdbc;

/** A claim that was only to tell whether an earlier transaction had committed: it had not. */
final class NotCommittedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotCommittedException() {
    super("the transaction did not commit", null, false, false);
  }
}
