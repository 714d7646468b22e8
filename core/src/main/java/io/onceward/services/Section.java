package io.onceward.services;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * One service's bytes among those of others: pieces, each an i32 length and so many bytes, then an
 * i32 0. Every piece is full but the last one, so that the bytes follow from what was written and
 * not from how.
 */
final class Section {
  private static final int PIECE_BYTES = 32 << 10;

  private Section() {}

  /** Writes a section; closing it ends the section and leaves the stream below open. */
  static final class Output extends OutputStream {
    private final OutputStream out;
    private final byte[] piece = new byte[Integer.BYTES + PIECE_BYTES];
    private int length;

    Output(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
      if (length == PIECE_BYTES) {
        pass();
      }
      piece[Integer.BYTES + length++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      int done = 0;
      while (done < count) {
        if (length == PIECE_BYTES) {
          pass();
        }
        int step = Math.min(count - done, PIECE_BYTES - length);
        System.arraycopy(bytes, offset + done, piece, Integer.BYTES + length, step);
        length += step;
        done += step;
      }
    }

    @Override
    public void close() throws IOException {
      if (length > 0) {
        pass();
      }
      pass();
    }

    private void pass() throws IOException {
      for (int i = 0; i < Integer.BYTES; i++) {
        piece[i] = (byte) (length >>> 8 * (Integer.BYTES - 1 - i));
      }
      out.write(piece, 0, Integer.BYTES + length);
      length = 0;
    }
  }

  /** Reads a section up to its end and not a byte further. */
  static final class Input extends InputStream {
    private final InputStream in;
    private int left;
    private boolean ended;

    Input(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      if (count == 0) {
        return 0;
      }
      if (!hasMore()) {
        return -1;
      }
      int read = in.read(target, offset, Math.min(count, left));
      if (read < 0) {
        throw new EOFException("a section is cut off");
      }
      left -= read;
      return read;
    }

    private boolean hasMore() throws IOException {
      if (left == 0 && !ended) {
        byte[] length = in.readNBytes(Integer.BYTES);
        if (length.length < Integer.BYTES) {
          throw new EOFException("a section is cut off");
        }
        for (byte each : length) {
          left = left << 8 | each & 0xff;
        }
        if (left < 0 || left > PIECE_BYTES) {
          throw new IOException(
              "a piece of a section has " + left + " bytes; at most " + PIECE_BYTES);
        }
        ended = left == 0;
      }
      return !ended;
    }
  }
}
