package io.onceward.replica;

import java.util.Arrays;

/** Encodes into memory. The buffer grows as needed; what was written never moves. */
final class ByteWriter extends Encoder<RuntimeException> {

  /** Room for {@code expectedBytes} at first; a good guess saves copying. */
  ByteWriter(int expectedBytes) {
    super(new byte[expectedBytes], 0);
  }

  @Override
  void makeRoom(int count) {
    int doubled = (int) Math.min(2L * buffer.length, Integer.MAX_VALUE - 16);
    buffer = Arrays.copyOf(buffer, Math.max(Math.addExact(position, count), doubled));
  }

  /** Four bytes, most significant first. */
  void i32(int value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      u8(value >>> shift);
    }
  }

  int length() {
    return position;
  }

  byte[] toArray() {
    return position == buffer.length ? buffer : Arrays.copyOf(buffer, position);
  }
}
