package io.onceward;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * A run of bytes that is only read: a command inside its log entry, a reply inside a table's page.
 *
 * <p>It is a view, so that bytes travel from the network to the service without being copied.
 * Whoever hands one out says how long it may be kept; {@link #toArray()} makes a copy that is
 * yours. Equality is by content.
 */
public final class Bytes implements Comparable<Bytes> {
  public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] array;
  private final int offset;
  private final int length;

  private Bytes(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  /** A view of the whole array, which must not change afterwards. */
  public static Bytes of(byte[] array) {
    return array.length == 0 ? EMPTY : new Bytes(array, 0, array.length);
  }

  /** A view of part of the array, which must not change while the view is in use. */
  public static Bytes of(byte[] array, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, array.length);
    return length == 0 ? EMPTY : new Bytes(array, offset, length);
  }

  public static Bytes utf8(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  public int length() {
    return length;
  }

  public byte at(int index) {
    return array[offset + Objects.checkIndex(index, length)];
  }

  /** Eight bytes from the index on, most significant first. */
  public long longAt(int index) {
    return (long) LONGS.get(array, offset + Objects.checkFromIndexSize(index, Long.BYTES, length));
  }

  /** A view of part of this view. */
  public Bytes slice(int index, int length) {
    Objects.checkFromIndexSize(index, length, this.length);
    return length == 0 ? EMPTY : new Bytes(array, offset + index, length);
  }

  public void copyTo(byte[] target, int targetOffset) {
    System.arraycopy(array, offset, target, targetOffset, length);
  }

  public void writeTo(OutputStream target) throws IOException {
    target.write(array, offset, length);
  }

  public byte[] toArray() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  /** A read-only buffer over the same bytes, big-endian, from position 0 to its limit. */
  public ByteBuffer asBuffer() {
    return ByteBuffer.wrap(array, offset, length).slice().asReadOnlyBuffer();
  }

  /** The bytes read as UTF-8 text. */
  public String asText() {
    return new String(array, offset, length, StandardCharsets.UTF_8);
  }

  public boolean startsWith(Bytes prefix) {
    return length >= prefix.length
        && Arrays.equals(
            array,
            offset,
            offset + prefix.length,
            prefix.array,
            prefix.offset,
            prefix.offset + prefix.length);
  }

  /** By the first byte that differs, without a sign; a beginning comes before the whole. */
  @Override
  public int compareTo(Bytes that) {
    return Arrays.compareUnsigned(
        array, offset, offset + length, that.array, that.offset, that.offset + that.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that
        && Arrays.equals(
            array, offset, offset + length, that.array, that.offset, that.offset + that.length);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + array[i];
    }
    return hash;
  }

  /** Readable when the bytes are printable ASCII, hexadecimal otherwise, cut after 32 bytes. */
  @Override
  public String toString() {
    int shown = Math.min(length, 32);
    StringBuilder text = new StringBuilder();
    boolean printable = true;
    for (int i = 0; i < shown; i++) {
      printable &= at(i) >= ' ' && at(i) < 127;
    }
    for (int i = 0; i < shown; i++) {
      if (printable) {
        text.append((char) at(i));
      } else {
        text.append(Character.forDigit((at(i) >> 4) & 15, 16))
            .append(Character.forDigit(at(i) & 15, 16));
      }
    }
    return shown < length ? text + "…(" + length + " bytes)" : text.toString();
  }
}
