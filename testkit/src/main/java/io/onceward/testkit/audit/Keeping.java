package io.onceward.testkit.audit;

import io.onceward.Bytes;
import io.onceward.replica.Request;
import org.jspecify.annotations.Nullable;

/**
 * What a command of the simulated service does to its memory, read from its bytes: the number of
 * the wish, one byte for the deed, four for its argument.
 */
public final class Keeping {
  /** The service lets go of everything. */
  public static final long DROPS_ALL = -1;

  private static final int DEED_AT = Long.BYTES;
  private static final int LENGTH = DEED_AT + 1 + Integer.BYTES;
  private static final int KEEP = 5;
  private static final int DROP = 6;

  private Keeping() {}

  /** The bytes that the command keeps, 0 if none, or {@link #DROPS_ALL}. */
  public static long of(Bytes command) {
    if (command.length() < LENGTH) {
      return 0;
    }
    int argument = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      argument = argument << Byte.SIZE | command.at(DEED_AT + 1 + i) & 0xff;
    }
    return switch (command.at(DEED_AT)) {
      case KEEP -> argument;
      case DROP -> DROPS_ALL;
      default -> 0;
    };
  }

  static long of(@Nullable Request request) {
    if (request instanceof Request.InSession ask) {
      return of(ask.command());
    } else if (request instanceof Request.Keyed ask) {
      return of(ask.command());
    }
    return request instanceof Request.Unkeyed ask ? of(ask.command()) : 0;
  }
}
