package io.onceward.spring;

/** The database is not one that the promise holds on, or lacks the tables. */
final class UnfitDatabaseException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  UnfitDatabaseException(String message, Throwable cause) {
    super(message, cause);
  }
}
