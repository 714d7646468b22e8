package io.onceward.testkit.world;

import io.onceward.Bytes;
import io.onceward.replica.Request;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants once. The number goes with every copy of every request that is made for it,
 * so that the effects of the service tell which wish they fulfilled.
 *
 * @param number unique in a run, from 1
 * @param argument how long the reply is to be, or which name to register
 */
public record Wish(long number, Deed deed, int argument) {

  /** What the simulated service is asked to do. */
  public enum Deed {
    /** Count, and answer. */
    COUNT,
    /** Answer with a business error. */
    DECLINE,
    /** Throw a RuntimeException whose text differs between nodes (E8). */
    FAIL,
    /** Take a name that nobody has taken yet; a second execution would find it taken (E1). */
    REGISTER,
    /** Throw an Error, which stops the node (E8). */
    POISON,
    /** Keep as many bytes as the argument says, if there is room (B5). */
    KEEP,
    /** Let go of everything that was kept. */
    DROP
  }

  private static final Deed[] DEEDS = Deed.values();
  static final int LEAST_BYTES = Long.BYTES + 1 + Integer.BYTES;

  /** The command's payload, filled up to the given length. */
  Bytes payload(int length) {
    ByteBuffer out = ByteBuffer.allocate(Math.max(length, LEAST_BYTES));
    out.putLong(number).put((byte) deed.ordinal()).putInt(argument);
    return Bytes.of(out.array());
  }

  /** Reads a payload; null if it is none of this service's. */
  static @Nullable Wish read(Bytes payload) {
    if (payload.length() < LEAST_BYTES) {
      return null;
    }
    ByteBuffer in = payload.asBuffer();
    long number = in.getLong();
    int deed = in.get();
    return deed < 0 || deed >= DEEDS.length ? null : new Wish(number, DEEDS[deed], in.getInt());
  }

  /** The number of the wish that a request carries, or 0. */
  public static long numberIn(Request request) {
    Bytes command = null;
    if (request instanceof Request.InSession ask) {
      command = ask.command();
    } else if (request instanceof Request.Keyed ask) {
      command = ask.command();
    } else if (request instanceof Request.Unkeyed ask) {
      command = ask.command();
    }
    return command == null || command.length() < LEAST_BYTES ? 0 : command.asBuffer().getLong();
  }
}
