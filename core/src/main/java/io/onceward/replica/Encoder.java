package io.onceward.replica;

import io.onceward.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes the few kinds of value that every layout is made of (docs/bytes.md); {@link Decoder} reads
 * them. Each value has exactly one form. Subclasses say what happens when the buffer is full: grow
 * it, or pass it on.
 *
 * @param <X> what making room may throw
 */
abstract class Encoder<X extends Exception> {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int LONGEST_VARINT = 10;

  /** Written up to {@link #position}; only subclasses replace the one or move the other back. */
  byte[] buffer;

  int position;

  Encoder(byte[] buffer, int position) {
    this.buffer = buffer;
    this.position = position;
  }

  /** Sees to it that at least {@code count} bytes of the buffer are free; never more than 16. */
  abstract void makeRoom(int count) throws X;

  final void u8(int value) throws X {
    if (position == buffer.length) {
      makeRoom(1);
    }
    buffer[position++] = (byte) value;
  }

  /** Eight bytes, most significant first. */
  final void i64(long value) throws X {
    if (buffer.length - position < Long.BYTES) {
      makeRoom(Long.BYTES);
    }
    LONGS.set(buffer, position, value);
    position += Long.BYTES;
  }

  /** Unsigned LEB128: seven bits per byte, least significant first, as few bytes as possible. */
  final void varint(long value) throws X {
    if (buffer.length - position < LONGEST_VARINT) {
      makeRoom(LONGEST_VARINT);
    }
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      buffer[position++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[position++] = (byte) rest;
  }

  /** The bytes alone; the reader must know their number from elsewhere. */
  final void raw(byte[] bytes, int offset, int length) throws X {
    int done = 0;
    while (done < length) {
      if (position == buffer.length) {
        makeRoom(1);
      }
      int step = Math.min(length - done, buffer.length - position);
      System.arraycopy(bytes, offset + done, buffer, position, step);
      position += step;
      done += step;
    }
  }

  /** The bytes alone; the reader must know their number from elsewhere. */
  final void raw(Bytes bytes) throws X {
    int done = 0;
    while (done < bytes.length()) {
      if (position == buffer.length) {
        makeRoom(1);
      }
      int step = Math.min(bytes.length() - done, buffer.length - position);
      bytes.slice(done, step).copyTo(buffer, position);
      position += step;
      done += step;
    }
  }

  /** The number of bytes as a varint, then the bytes. */
  final void bytes(Bytes bytes) throws X {
    varint(bytes.length());
    raw(bytes);
  }

  /**
   * A text as {@link #bytes} of its UTF-8.
   *
   * @throws IllegalArgumentException if the text is too long or has no UTF-8
   */
  final void utf8(String what, String text, int most) throws X {
    // A char takes at least one byte, so that a text of any length is refused before it is copied.
    byte[] encoded = text.length() > most ? null : text.getBytes(StandardCharsets.UTF_8);
    if (encoded == null || encoded.length > most) {
      throw new IllegalArgumentException(what + " is longer than " + most + " bytes of UTF-8");
    }
    if (!new String(encoded, StandardCharsets.UTF_8).equals(text)) {
      throw new IllegalArgumentException(
          what + " has a lone surrogate, for which there is no UTF-8");
    }
    varint(encoded.length);
    raw(encoded, 0, encoded.length);
  }
}
