package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link Encoder} writes, and believes nothing. Every failure is a {@link
 * DamagedException} that names the place. A value in any other form than the encoder's (a varint
 * with needless bytes, UTF-8 that is none) is damage too, so that equal values have equal bytes. No
 * memory is taken for a length before the length is checked.
 *
 * @param <X> what fetching more bytes may throw besides
 */
abstract class Decoder<X extends Exception> {
  /** Memory that is taken in one step for bytes that may not be there. */
  private static final int STEP_BYTES = 64 << 10;

  private final String source;

  /** What can be read without fetching, from {@link #position} on. Subclasses replace both. */
  Bytes window = Bytes.EMPTY;

  int position;

  Decoder(String source) {
    this.source = source;
  }

  /**
   * Sees to it that the window holds {@code count} bytes from the position on; never more than 16.
   *
   * @throws DamagedException if there are not as many
   */
  abstract void fetch(int count) throws X;

  /** Where the next byte stands, counted from the start of what is read. */
  abstract long offset();

  /** Refuses a length that is known to be more than what is left; a stream cannot know. */
  abstract void checkLeft(long at, int length);

  final int u8() throws X {
    if (position == window.length()) {
      fetch(1);
    }
    return window.at(position++) & 0xff;
  }

  final long i64() throws X {
    if (window.length() - position < Long.BYTES) {
      fetch(Long.BYTES);
    }
    long value = window.longAt(position);
    position += Long.BYTES;
    return value;
  }

  /** Any 64 bits. */
  final long varint() throws X {
    long at = offset();
    long value = 0;
    int shift = 0;
    int next = u8();
    while (next >= 0x80) {
      value |= (long) (next & 0x7f) << shift;
      shift += 7;
      next = u8();
      if (shift == 63 && next > 1) {
        throw damaged(at, "a varint has more than 64 bits");
      }
    }
    if (next == 0 && shift > 0) {
      throw damaged(at, "a varint is longer than needed");
    }
    return value | (long) next << shift;
  }

  /** A varint from {@code least}, which is not negative, to {@code most}. */
  final long number(String what, long least, long most) throws X {
    long at = offset();
    long value = varint();
    if (value < least || value > most) {
      throw damaged(
          at,
          what + " is " + Long.toUnsignedString(value) + "; allowed are " + least + " to " + most);
    }
    return value;
  }

  /** A varint that counts bytes which follow. */
  final int length(String what, int most) throws X {
    long at = offset();
    int length = (int) number("length of " + what, 0, most);
    checkLeft(at, length);
    return length;
  }

  final void readFully(byte[] target, int offset, int length) throws X {
    int done = 0;
    while (done < length) {
      if (position == window.length()) {
        fetch(1);
      }
      int step = Math.min(length - done, window.length() - position);
      window.slice(position, step).copyTo(target, offset + done);
      position += step;
      done += step;
    }
  }

  /** A length and that many bytes. */
  final byte[] bytes(String what, int most) throws X {
    int length = length(what, most);
    byte[] bytes = new byte[Math.min(length, STEP_BYTES)];
    readFully(bytes, 0, bytes.length);
    while (bytes.length < length) {
      int read = bytes.length;
      bytes = Arrays.copyOf(bytes, (int) Math.min(2L * read, length));
      readFully(bytes, read, bytes.length - read);
    }
    return bytes;
  }

  /** A length and that many bytes of UTF-8. */
  final String utf8(String what, int most) throws X {
    long at = offset();
    byte[] encoded = bytes(what, most);
    String text = new String(encoded, StandardCharsets.UTF_8);
    // Java reads broken UTF-8 as replacement characters, which are written as other bytes.
    if (!Arrays.equals(text.getBytes(StandardCharsets.UTF_8), encoded)) {
      throw damaged(at, what + " is not UTF-8");
    }
    return text;
  }

  final DamagedException damaged(long at, String reason) {
    return new DamagedException(source, at, reason);
  }
}
