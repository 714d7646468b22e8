package io.onceward.testkit.history;

/** What a client set out to do. */
public enum OpKind {
  /** A copy of a request; copies of one request have the same id. */
  COMMAND,
  /** A question to the service, linearizable, that changes nothing. */
  QUERY,
  /** A question what became of a request, or the wish to abandon it; no copy of it. */
  INQUIRY;

  private static final OpKind[] BY_CODE = values();

  static OpKind ofCode(int code) {
    return BY_CODE[code];
  }
}
