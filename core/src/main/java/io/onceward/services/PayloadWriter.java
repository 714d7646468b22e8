package io.onceward.services;

import io.onceward.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes commands and replies from the values of docs/bytes.md. */
final class PayloadWriter {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  static final int LONGEST_NUMBER = 10;

  private byte[] buffer;
  private int position;

  /** Begins with the code that tells the kind of command or reply. */
  PayloadWriter(int code, int expectedBytes) {
    buffer = new byte[expectedBytes + LONGEST_NUMBER];
    buffer[position++] = (byte) code;
  }

  PayloadWriter u8(int value) {
    room(1);
    buffer[position++] = (byte) value;
    return this;
  }

  PayloadWriter i64(long value) {
    room(Long.BYTES);
    LONGS.set(buffer, position, value);
    position += Long.BYTES;
    return this;
  }

  PayloadWriter varint(long value) {
    room(LONGEST_NUMBER);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      buffer[position++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[position++] = (byte) rest;
    return this;
  }

  PayloadWriter bytes(Bytes bytes) {
    return varint(bytes.length()).rest(bytes);
  }

  PayloadWriter utf8(String text) {
    return bytes(Bytes.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  PayloadWriter rest(Bytes bytes) {
    room(bytes.length());
    bytes.copyTo(buffer, position);
    position += bytes.length();
    return this;
  }

  int length() {
    return position;
  }

  /** What was written. */
  Bytes done() {
    return Bytes.of(buffer, 0, position);
  }

  private void room(int count) {
    if (buffer.length - position < count) {
      int doubled = (int) Math.min(2L * buffer.length, Integer.MAX_VALUE - 16);
      buffer = Arrays.copyOf(buffer, Math.max(Math.addExact(position, count), doubled));
    }
  }
}
