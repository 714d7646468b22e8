package io.onceward;

import java.util.Objects;

/**
 * What the first execution of a request answered. It is remembered and given to every retry, byte
 * for byte (E3), whatever its kind.
 */
public record Reply(Kind kind, Bytes bytes) {
  public Reply {
    // Here, where a service makes it: behind its execution nothing may fail any more (E6, E8).
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(bytes, "bytes");
  }

  /** How an execution ended. Every kind means that the request executed. */
  public enum Kind {
    /** The service did what was asked. */
    OK(0),
    /** The service refused for a reason of its own domain, such as "insufficient funds". */
    BUSINESS_ERROR(1),
    /** The service failed unexpectedly; the request executed, perhaps in part (E8). No bytes. */
    FAILED(2),
    /** The request executed but its reply was over the limit and is not kept (E9). No bytes. */
    REPLY_TOO_LARGE(3);

    private static final Kind[] BY_CODE = values();
    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** The number that stands for this kind in log, snapshot and wire. */
    public int code() {
      return code;
    }

    public static Kind ofCode(int code) {
      if (code < 0 || code >= BY_CODE.length) {
        throw new IllegalArgumentException(
            "reply kind " + code + " is unknown; 0 to 3 are allowed");
      }
      return BY_CODE[code];
    }
  }

  /** Fixed bytes, so that replicas on different JVMs remember the same (E8). */
  public static final Reply FAILED = new Reply(Kind.FAILED, Bytes.EMPTY);

  public static final Reply REPLY_TOO_LARGE = new Reply(Kind.REPLY_TOO_LARGE, Bytes.EMPTY);

  public static Reply ok(Bytes bytes) {
    return new Reply(Kind.OK, bytes);
  }

  public static Reply ok(String text) {
    return ok(Bytes.utf8(text));
  }

  public static Reply businessError(Bytes bytes) {
    return new Reply(Kind.BUSINESS_ERROR, bytes);
  }

  public static Reply businessError(String text) {
    return businessError(Bytes.utf8(text));
  }
}
