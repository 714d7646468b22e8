package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.util.Arrays;

/**
 * The reply of one sequence as a block: where and when it executed, its fingerprint, its bytes.
 * Written once, in the same step as the effect (E6), and never changed.
 */
final class RememberedReply {
  private static final int POSITION = 0;
  private static final int TIME = 8;
  private static final int FINGERPRINT = 16;

  /** Kind (2 bits), fingerprint present (1 bit), length of the reply. */
  private static final int SHAPE = 24;

  private static final int BODY = 28;
  private static final int PRESENT = 4;

  private RememberedReply() {}

  static int store(
      Blocks blocks,
      long position,
      long timeMillis,
      boolean present,
      long fingerprint,
      Reply reply) {
    Bytes body = reply.bytes();
    int block = blocks.allocate(BODY + body.length());
    byte[] page = blocks.writable(block);
    int at = Blocks.offset(block);
    Blocks.LONG.set(page, at + POSITION, position);
    Blocks.LONG.set(page, at + TIME, timeMillis);
    Blocks.LONG.set(page, at + FINGERPRINT, fingerprint);
    int shape = reply.kind().code() | (present ? PRESENT : 0) | body.length() << 3;
    Blocks.INT.set(page, at + SHAPE, shape);
    body.copyTo(page, at + BODY);
    return block;
  }

  /** Whether a copy that carries this fingerprint asks what was executed (E7). */
  static boolean matches(byte[] page, int at, boolean present, long fingerprint) {
    if (!present) {
      return true;
    }
    boolean recorded = ((int) Blocks.INT.get(page, at + SHAPE) & PRESENT) != 0;
    return recorded && fingerprint(page, at) == fingerprint;
  }

  static boolean hasFingerprint(byte[] page, int at) {
    return ((int) Blocks.INT.get(page, at + SHAPE) & PRESENT) != 0;
  }

  static long fingerprint(byte[] page, int at) {
    return (long) Blocks.LONG.get(page, at + FINGERPRINT);
  }

  static long position(byte[] page, int at) {
    return (long) Blocks.LONG.get(page, at + POSITION);
  }

  static long timeMillis(byte[] page, int at) {
    return (long) Blocks.LONG.get(page, at + TIME);
  }

  /** Reads both ends of what is fixed in a reply, so that it is in the cache when it is needed. */
  static long touch(byte[] page, int at) {
    return (long) page[at] + length(page, at);
  }

  static int length(byte[] page, int at) {
    return (int) Blocks.INT.get(page, at + SHAPE) >>> 3;
  }

  /** A copy, since the page goes on to change. */
  static Reply reply(byte[] page, int at) {
    Reply.Kind kind = Reply.Kind.ofCode((int) Blocks.INT.get(page, at + SHAPE) & 3);
    int from = at + BODY;
    return new Reply(kind, Bytes.of(Arrays.copyOfRange(page, from, from + length(page, at))));
  }
}
