package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.Key;
import io.onceward.Reply;

/**
 * A cursor over the records of a {@link Chunk}. One record:
 *
 * <pre>
 * flags    kind of key (2 bits), state (3 bits), fingerprint present, body present, reply outside
 * scope    varint
 * key      16 bytes
 * body     fingerprint (8 bytes, if present), position and log time as varints counted
 *          from the chunk's, length of the reply as a varint, then the reply itself, or the
 *          four bytes of the block where a longer one stands
 * </pre>
 *
 * <p>padded to an even length. Tombstones and abandoned keys have no body; a record that was just
 * acknowledged keeps its body as garbage until its chunk is compacted. A <em>mark</em> stands
 * before the records that share a quantum of retention and a quantum of log time.
 */
final class KeyRecord {
  static final int TOMBSTONE = 4;
  static final int ABANDONED = 5;
  static final int MARK = 7;
  static final int MARK_BYTES = 18;

  private static final int STATE_SHIFT = 2;
  private static final int FINGERPRINT_BIT = 1 << 5;
  private static final int BODY_BIT = 1 << 6;
  private static final int OUTSIDE_BIT = 1 << 7;

  /**
   * Replies up to here stand in the record. Longer ones are won back as soon as they are dropped.
   */
  static final int LONGEST_INSIDE = 32;

  /** The most that one record can take. */
  static final int MOST_BYTES = 1 + 5 + 16 + 8 + 10 + 10 + 5 + LONGEST_INSIDE + 1;

  private byte[] bytes = new byte[0];
  private int start;
  private int flags;
  private int scope;
  private long high;
  private long low;
  private long fingerprint;
  private long positionDelta;
  private long timeDelta;
  private int replyAt;
  private int replyLength;
  private int slimEnd;
  private int end;
  private int at;

  /** Moves to the record at this offset and reads its identity only. */
  void moveToIdentity(byte[] chunk, int offset) {
    bytes = chunk;
    start = offset;
    flags = chunk[offset];
    int at = offset + 1;
    int value = chunk[at++];
    if (value < 0) {
      value &= 0x7F;
      int shift = 7;
      byte more;
      do {
        more = chunk[at++];
        value |= (more & 0x7F) << shift;
        shift += 7;
      } while (more < 0);
    }
    scope = value;
    high = (long) Blocks.LONG.get(chunk, at);
    low = (long) Blocks.LONG.get(chunk, at + 8);
    slimEnd = at + 16;
  }

  /** Moves to the record or mark at this offset. */
  void moveTo(byte[] chunk, int offset) {
    flags = chunk[offset];
    if (isMark()) {
      bytes = chunk;
      start = offset;
      end = offset + MARK_BYTES;
      return;
    }
    moveToIdentity(chunk, offset);
    at = slimEnd;
    if ((flags & BODY_BIT) != 0) {
      if (isFingerprinted()) {
        fingerprint = (long) Blocks.LONG.get(chunk, at);
        at += 8;
      }
      positionDelta = readVarint();
      timeDelta = readVarint();
      replyLength = (int) readVarint();
      replyAt = at;
      at += isReplyOutside() ? Integer.BYTES : replyLength;
    }
    end = even(at);
  }

  private long readVarint() {
    long value = 0;
    int shift = 0;
    byte more;
    do {
      more = bytes[at++];
      value |= (more & 0x7FL) << shift;
      shift += 7;
    } while (more < 0);
    return value;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  boolean isMark() {
    return state() == MARK;
  }

  /** A {@link Reply.Kind} code, or one of the states of this class. */
  int state() {
    return flags >> STATE_SHIFT & 7;
  }

  boolean isExecuted() {
    return state() < TOMBSTONE;
  }

  int kind() {
    return flags & 3;
  }

  boolean isFingerprinted() {
    return (flags & FINGERPRINT_BIT) != 0;
  }

  int scope() {
    return scope;
  }

  long high() {
    return high;
  }

  long low() {
    return low;
  }

  long fingerprint() {
    return fingerprint;
  }

  long positionDelta() {
    return positionDelta;
  }

  long timeDelta() {
    return timeDelta;
  }

  int replyLength() {
    return replyLength;
  }

  boolean isReplyOutside() {
    return (flags & OUTSIDE_BIT) != 0;
  }

  /** The block of a reply that stands outside. */
  int replyBlock() {
    return (int) Blocks.INT.get(bytes, replyAt);
  }

  /** Names another block, in a chunk that may be a copy of the one under the cursor. */
  void setReplyBlock(byte[] chunk, int block) {
    Blocks.INT.set(chunk, replyAt, block);
  }

  /** The bytes of a reply that stands inside, where they stand. */
  Bytes replyBytes() {
    return Bytes.of(bytes, replyAt, replyLength);
  }

  Key key() {
    return Key.of(Key.Kind.ofCode(kind()), high, low);
  }

  boolean is(int scope, Key key) {
    return low == key.low()
        && high == key.high()
        && this.scope == scope
        && kind() == key.kind().code();
  }

  /** Whether a copy that carries this fingerprint asks what was executed (E7). */
  boolean matches(boolean fingerprinted, long fingerprint) {
    return !fingerprinted || isFingerprinted() && this.fingerprint == fingerprint;
  }

  /** The last age quantum in which the records after this mark are kept. */
  long markDue() {
    return (long) Blocks.LONG.get(bytes, start + 2);
  }

  /** The quantum of log time in which the records after this mark arrived. */
  long markTime() {
    return (long) Blocks.LONG.get(bytes, start + 10);
  }

  /** How many bytes the record would take without the body that its state no longer needs. */
  int slimLength() {
    return isExecuted() || isMark() ? end - start : even(slimEnd) - start;
  }

  /** Copies the record, without a body that its state no longer needs. */
  int copyTo(byte[] target, int offset) {
    int length = slimLength();
    System.arraycopy(bytes, start, target, offset, length);
    if (length < end - start) {
      target[offset] = (byte) (flags & ~(BODY_BIT | FINGERPRINT_BIT | OUTSIDE_BIT));
    }
    return offset + length;
  }

  /** Turns the record into a tombstone where it stands. */
  static void bury(byte[] chunk, int offset) {
    chunk[offset] = (byte) (chunk[offset] & ~(7 << STATE_SHIFT) | TOMBSTONE << STATE_SHIFT);
  }

  static int even(int length) {
    return length + 1 & ~1;
  }

  static int writeMark(byte[] chunk, int offset, long due, long time) {
    chunk[offset] = (byte) (MARK << STATE_SHIFT);
    chunk[offset + 1] = 0;
    Blocks.LONG.set(chunk, offset + 2, due);
    Blocks.LONG.set(chunk, offset + 10, time);
    return offset + MARK_BYTES;
  }

  /** Writes a record without a body; returns the offset after it. */
  static int writeSlim(byte[] chunk, int offset, int state, int scope, Key key) {
    return pad(chunk, writeIdentity(chunk, offset, state << STATE_SHIFT, scope, key));
  }

  /**
   * Writes the record of an execution; returns the offset after it.
   *
   * @param block where the reply stands if it is longer than {@link #LONGEST_INSIDE}
   */
  static int writeExecuted(
      byte[] chunk,
      int offset,
      int scope,
      Key key,
      boolean fingerprinted,
      long fingerprint,
      long positionDelta,
      long timeDelta,
      Reply reply,
      int block) {
    int length = reply.bytes().length();
    boolean outside = length > LONGEST_INSIDE;
    int flags =
        reply.kind().code() << STATE_SHIFT
            | BODY_BIT
            | (fingerprinted ? FINGERPRINT_BIT : 0)
            | (outside ? OUTSIDE_BIT : 0);
    int at = writeIdentity(chunk, offset, flags, scope, key);
    if (fingerprinted) {
      Blocks.LONG.set(chunk, at, fingerprint);
      at += 8;
    }
    at = writeVarint(chunk, at, positionDelta);
    at = writeVarint(chunk, at, timeDelta);
    at = writeVarint(chunk, at, length);
    if (outside) {
      Blocks.INT.set(chunk, at, block);
      return pad(chunk, at + Integer.BYTES);
    }
    reply.bytes().copyTo(chunk, at);
    return pad(chunk, at + length);
  }

  private static int writeIdentity(byte[] chunk, int offset, int flags, int scope, Key key) {
    chunk[offset] = (byte) (flags | key.kind().code());
    int at = writeVarint(chunk, offset + 1, scope);
    Blocks.LONG.set(chunk, at, key.high());
    Blocks.LONG.set(chunk, at + 8, key.low());
    return at + 16;
  }

  private static int pad(byte[] chunk, int at) {
    if ((at & 1) != 0) {
      chunk[at] = 0;
    }
    return even(at);
  }

  private static int writeVarint(byte[] chunk, int offset, long value) {
    int at = offset;
    long rest = value;
    while (rest >>> 7 != 0) {
      chunk[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    chunk[at++] = (byte) rest;
    return at;
  }
}
