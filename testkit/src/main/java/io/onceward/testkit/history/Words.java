package io.onceward.testkit.history;

import io.onceward.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads the values of docs/bytes.md for the models, on its own: a mistake in the reader that the
 * services use must not be made here again.
 */
final class Words {
  private final ByteBuffer in;

  Words(Bytes payload) {
    in = payload.asBuffer();
  }

  int u8() {
    return in.get() & 0xff;
  }

  long i64() {
    return in.getLong();
  }

  long varint() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a varint without end");
  }

  /** A varint length and so many bytes. */
  Bytes bytes() {
    return take((int) varint());
  }

  String text() {
    return bytes().asText();
  }

  /** An i16 length and so many bytes of UTF-8. */
  String shortText() {
    return take(in.getShort()).asText();
  }

  Bytes rest() {
    return take(in.remaining());
  }

  private Bytes take(int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return Bytes.of(bytes);
  }

  /** Writes what {@link Words} reads. */
  static final class Writer {
    private ByteBuffer out = ByteBuffer.allocate(64);

    Writer u8(int value) {
      room(1).put((byte) value);
      return this;
    }

    Writer i64(long value) {
      room(Long.BYTES).putLong(value);
      return this;
    }

    Writer varint(long value) {
      long left = value;
      while (left >>> 7 != 0) {
        u8((int) (left & 0x7f) | 0x80);
        left >>>= 7;
      }
      return u8((int) left);
    }

    Writer bytes(Bytes bytes) {
      return varint(bytes.length()).rest(bytes);
    }

    Writer text(String text) {
      return bytes(Bytes.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    Writer rest(Bytes bytes) {
      room(bytes.length()).put(bytes.toArray());
      return this;
    }

    Bytes done() {
      return Bytes.of(out.array(), 0, out.position());
    }

    private ByteBuffer room(int count) {
      if (out.remaining() < count) {
        out = ByteBuffer.allocate(2 * out.capacity() + count).put(out.flip());
      }
      return out;
    }
  }
}
