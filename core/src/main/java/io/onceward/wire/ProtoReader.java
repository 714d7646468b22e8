package io.onceward.wire;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads Protocol Buffers from a byte array, and believes nothing: every failure is a {@link
 * DamagedException} that names the place. What it hands out are views into the array.
 *
 * <p>A message is read as {@code while (in.more()) switch (in.tag())}; a tag that the caller does
 * not know goes to {@link #skip}. A known field of another wire type has another tag and is skipped
 * as well, as every reader of Protocol Buffers does.
 */
final class ProtoReader {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final String source;
  private final byte[] array;
  private int position;

  /** Where the message that is being read ends. */
  private int limit;

  ProtoReader(String source, byte[] array) {
    this.source = source;
    this.array = array;
    this.limit = array.length;
  }

  boolean more() {
    return position < limit;
  }

  /** Field number and wire type, as {@code number << 3 | type}. */
  int tag() {
    int at = position;
    long tag = varint();
    if (tag >>> 3 == 0 || tag >>> 32 != 0) {
      throw damaged(at, "no field has the tag " + Long.toUnsignedString(tag));
    }
    return (int) tag;
  }

  static int fieldOf(int tag) {
    return tag >>> 3;
  }

  /** Any 64 bits. Needless bytes are allowed here, as other writers make them. */
  long varint() {
    if (position < limit && array[position] >= 0) {
      return array[position++];
    }
    int at = position;
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (position == limit) {
        throw damaged(at, "a varint is cut off");
      }
      byte next = array[position++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        if (shift == 63 && next > 1) {
          break;
        }
        return value;
      }
    }
    throw damaged(at, "a varint has more than 64 bits");
  }

  /** The number of an enum's value; -1 stands for all that no enum can have. */
  int code() {
    long value = varint();
    return value < 0 || value > Integer.MAX_VALUE ? -1 : (int) value;
  }

  /** A number without a sign of 32 bits; as in all of Protocol Buffers, higher bits are dropped. */
  int number32() {
    return (int) varint();
  }

  boolean flag() {
    return varint() != 0;
  }

  long fixed64() {
    if (limit - position < Long.BYTES) {
      throw damaged(position, "8 bytes should follow, " + (limit - position) + " are left");
    }
    long value = (long) LONGS.get(array, position);
    position += Long.BYTES;
    return value;
  }

  Bytes bytes() {
    int length = length();
    Bytes bytes = Bytes.of(array, position, length);
    position += length;
    return bytes;
  }

  String text() {
    int at = position;
    int length = length();
    String text = new String(array, position, length, StandardCharsets.UTF_8);
    // Java reads broken UTF-8 as replacement characters, which are written as other bytes.
    byte[] again = text.getBytes(StandardCharsets.UTF_8);
    if (!Arrays.equals(again, 0, again.length, array, position, position + length)) {
      throw damaged(at, "a text is not UTF-8");
    }
    position += length;
    return text;
  }

  /** Enters a nested message; what is returned is for {@link #leave}. */
  int enter() {
    int outer = limit;
    int length = length();
    limit = position + length;
    return outer;
  }

  /** Where the message that was entered last ends. */
  int end() {
    return limit;
  }

  /** Leaves the message that was entered last, wherever in it the reader stands. */
  void leave(int outer) {
    leave(outer, limit);
  }

  /** Leaves the message that ends at {@code end}, and those in it that were not left. */
  void leave(int outer, int end) {
    position = end;
    limit = outer;
  }

  /** Passes over the value that follows this tag. */
  void skip(int tag) {
    switch (tag & 7) {
      case ProtoWriter.VARINT -> varint();
      case ProtoWriter.FIXED64 -> pass(Long.BYTES);
      case ProtoWriter.DELIMITED -> pass(length());
      case 5 -> pass(Integer.BYTES);
      default ->
          throw damaged(position, "field " + fieldOf(tag) + " has the wire type " + (tag & 7));
    }
  }

  private void pass(int count) {
    if (limit - position < count) {
      throw damaged(position, count + " bytes should follow, " + (limit - position) + " are left");
    }
    position += count;
  }

  private int length() {
    int at = position;
    long length = varint();
    if (length < 0 || length > limit - position) {
      throw damaged(
          at,
          Long.toUnsignedString(length)
              + " bytes should follow, "
              + (limit - position)
              + " are left");
    }
    return (int) length;
  }

  private DamagedException damaged(int at, String reason) {
    return new DamagedException(source, at, reason);
  }
}
