package io.onceward;

/** Who is asking. */
public enum ClientKind {
  /** Anonymous: the log names it, and nobody can take its place. */
  REGISTERED(0),
  /** A stable name that the user chose; a restarted process inherits its session (S2). */
  DURABLE(1),
  /** A node name used by one process at a time; each process start empties the session (S3). */
  AUTO(2);

  private static final ClientKind[] BY_CODE = values();
  private final int code;

  ClientKind(int code) {
    this.code = code;
  }

  /** The number that stands for this kind in log, snapshot and wire. */
  public int code() {
    return code;
  }

  public static ClientKind ofCode(int code) {
    if (code < 0 || code >= BY_CODE.length) {
      throw new IllegalArgumentException("client kind " + code + " is unknown; 0 to 2 are allowed");
    }
    return BY_CODE[code];
  }
}
