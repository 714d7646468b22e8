package io.onceward.jdbc;

/**
 * The transaction failed for a reason that is no answer to the request: a deadlock, a serialization
 * failure, a broken connection, or an SQL error that the business code swallowed. Nothing of it was
 * recorded. Roll the outermost transaction back and run it again from its beginning.
 */
public final class RunAgainException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean reasonKnown;

  RunAgainException(String message, boolean reasonKnown, Throwable cause) {
    super(message, cause);
    this.reasonKnown = reasonKnown;
  }

  /** False if the business code swallowed the reason, which may come again each time. */
  boolean reasonKnown() {
    return reasonKnown;
  }
}
