package io.onceward.wire;

import io.onceward.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes Protocol Buffers into a byte array that grows. As proto3 has it, a field with its default
 * value is left out.
 *
 * <p>There are two ways to write a nested message. {@link #begin} and {@link #end} suit any: the
 * length is put in afterwards, and a body of 128 bytes or more is moved for it. Whoever knows the
 * length beforehand makes {@link #room} once and uses the {@code put} methods, which check nothing.
 */
final class ProtoWriter {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int DELIMITED = 2;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int LONGEST_VARINT = 10;
  private static final int LONGEST_HEAD = 2 * LONGEST_VARINT;
  private static final int FIRST_BYTES = 1 << 10;

  /**
   * A buffer that grew beyond this for one large message is given up after it. There is a writer
   * for every connection of a node, and thousands of them.
   */
  static final int KEPT_BYTES = 16 << 10;

  /** A longer one is given up when nothing is written for a while. */
  static final int IDLE_BYTES = 2 << 10;

  private byte[] buffer = new byte[FIRST_BYTES];
  private int position;

  int length() {
    return position;
  }

  /** What the writer itself takes in memory. */
  int capacity() {
    return buffer.length;
  }

  /** What was written; the writer begins anew. */
  byte[] take() {
    byte[] taken = Arrays.copyOf(buffer, position);
    clear();
    return taken;
  }

  /** What was written, for as long as nothing is done to the writer. */
  Bytes written() {
    return Bytes.of(buffer, 0, position);
  }

  /**
   * What was written, for good; the writer begins anew. The buffer itself is handed out if it would
   * be given up anyway, and is so full that it takes little more than what is counted for it.
   */
  Bytes handOver() {
    boolean whole = buffer.length > KEPT_BYTES && buffer.length - position <= buffer.length / 8;
    Bytes taken = whole ? written() : Bytes.of(Arrays.copyOf(buffer, position));
    clear();
    return taken;
  }

  /** Gives up the buffer of a writer that is empty, and will be for a while, if it is long. */
  void shrink() {
    if (position == 0 && buffer.length > IDLE_BYTES) {
      buffer = new byte[FIRST_BYTES];
    }
  }

  /** Begins anew. */
  void clear() {
    position = 0;
    if (buffer.length > KEPT_BYTES) {
      buffer = new byte[FIRST_BYTES];
    }
  }

  /** Sees to it that this many bytes can be put without asking. */
  void room(long count) {
    long needed = position + count;
    if (needed > buffer.length) {
      if (needed > Integer.MAX_VALUE - 16) {
        throw new IllegalArgumentException("a message of " + needed + " bytes has no array");
      }
      long doubled = Math.min(2L * buffer.length, Integer.MAX_VALUE - 16);
      buffer = Arrays.copyOf(buffer, (int) Math.max(needed, doubled));
    }
  }

  /** The number of bytes that {@link #putVarint} takes. */
  static int sizeOf(long value) {
    return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }

  /** A tag of a field below 16, which takes one byte. */
  void putTag(int field, int type) {
    buffer[position++] = (byte) (field << 3 | type);
  }

  void putVarint(long value) {
    byte[] target = buffer;
    int at = position;
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      target[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[at++] = (byte) rest;
    position = at;
  }

  void putFixed64(long value) {
    LONGS.set(buffer, position, value);
    position += Long.BYTES;
  }

  void putBytes(Bytes bytes) {
    bytes.copyTo(buffer, position);
    position += bytes.length();
  }

  void number(int field, long value) {
    if (value != 0) {
      room(LONGEST_HEAD);
      putLongTag(field, VARINT);
      putVarint(value);
    }
  }

  /** A number without a sign of 32 bits. */
  void number32(int field, int value) {
    number(field, value & 0xffff_ffffL);
  }

  void flag(int field, boolean value) {
    number(field, value ? 1 : 0);
  }

  /** Eight bytes, for numbers that are rarely small. */
  void fixed64(int field, long value) {
    if (value != 0) {
      room(LONGEST_HEAD);
      putLongTag(field, FIXED64);
      putFixed64(value);
    }
  }

  void text(int field, String value) {
    if (!value.isEmpty()) {
      bytes(field, Bytes.of(value.getBytes(StandardCharsets.UTF_8)));
    }
  }

  void bytes(int field, Bytes value) {
    if (value.length() > 0) {
      room(LONGEST_HEAD + (long) value.length());
      putLongTag(field, DELIMITED);
      putVarint(value.length());
      putBytes(value);
    }
  }

  /** Begins a nested message; what is returned is for {@link #end}. */
  int begin(int field) {
    room(LONGEST_HEAD);
    putLongTag(field, DELIMITED);
    position++;
    return position;
  }

  /** Ends the nested message whose body began at {@code start}. */
  void end(int start) {
    int length = position - start;
    int more = sizeOf(length) - 1;
    if (more > 0) {
      room(more);
      System.arraycopy(buffer, start, buffer, start + more, length);
    }
    position = start - 1;
    putVarint(length);
    position += length;
  }

  private void putLongTag(int field, int type) {
    putVarint((long) field << 3 | type);
  }
}
