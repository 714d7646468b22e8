package io.onceward;

/**
 * Bytes of a log entry, request or snapshot that cannot be trusted: truncated, flipped, or of a
 * version that this build does not know (L4). Nothing was taken from them.
 */
public final class DamagedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final String reason;

  /**
   * @param what what was being read, such as "snapshot"
   * @param offset where in it the reader noticed, in bytes from its start
   */
  public DamagedException(String what, long offset, String reason) {
    super(what + " is damaged at byte " + offset + ": " + reason);
    this.offset = offset;
    this.reason = reason;
  }

  public long offset() {
    return offset;
  }

  public String reason() {
    return reason;
  }
}
