package io.onceward.client.journal;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/**
 * The bytes of a journal, of any length: a file is looked at through a window, so that one of many
 * gigabytes can be read.
 */
abstract class JournalBytes {
  private static final int WINDOW_BYTES = 64 << 10;

  private final long length;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
  private long windowAt;

  JournalBytes(long length) {
    this.length = length;
    window.limit(0);
  }

  static JournalBytes of(FileChannel file) throws IOException {
    return new JournalBytes(file.size()) {
      @Override
      void read(ByteBuffer into, long at) throws IOException {
        long from = at;
        while (into.hasRemaining()) {
          int read = file.read(into, from);
          if (read < 0) {
            throw new EOFException("the journal became shorter while it was read");
          }
          from += read;
        }
      }
    };
  }

  static JournalBytes of(byte[] bytes) {
    return new JournalBytes(bytes.length) {
      @Override
      void read(ByteBuffer into, long at) {
        into.put(bytes, Math.toIntExact(at), into.remaining());
      }
    };
  }

  /** Fills the buffer with what stands from here on. */
  abstract void read(ByteBuffer into, long at) throws IOException;

  final long length() {
    return length;
  }

  final byte byteAt(long at) throws IOException {
    return window.get(lookAt(at, 1));
  }

  final int intAt(long at) throws IOException {
    return window.getInt(lookAt(at, Integer.BYTES));
  }

  final long longAt(long at) throws IOException {
    return window.getLong(lookAt(at, Long.BYTES));
  }

  final byte[] copy(long at, int count) throws IOException {
    ByteBuffer copy = ByteBuffer.allocate(count);
    read(copy, at);
    return copy.array();
  }

  final void addTo(CRC32C checksum, long at, long count) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(count, WINDOW_BYTES));
    for (long done = 0; done < count; done += piece.limit()) {
      piece.clear().limit((int) Math.min(count - done, WINDOW_BYTES));
      read(piece, at + done);
      checksum.update(piece.flip());
    }
  }

  /** Moves the window if need be; where in it these bytes are. */
  private int lookAt(long at, int count) throws IOException {
    if (at < windowAt || at + count > windowAt + window.limit()) {
      // Some bytes before, because a search may go backwards.
      windowAt = Math.max(0, Math.min(at - WINDOW_BYTES / 2, length - WINDOW_BYTES));
      window.clear().limit((int) Math.min(WINDOW_BYTES, length - windowAt));
      read(window, windowAt);
    }
    return (int) (at - windowAt);
  }
}
