package io.onceward.replica;

import io.onceward.Bytes;
import io.onceward.DamagedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a snapshot's content out of its blocks. A block's bytes are given out only after its
 * checksum was found right, but only {@link #finish} knows that the whole is right: what was built
 * from the content must not be used before that. Offsets are those of the file.
 */
final class SnapshotInput extends Decoder<IOException> {
  private static final int SLACK_BYTES = 16;

  private final InputStream in;
  private final CRC32C crc = new CRC32C();
  private final MessageDigest sha256 = SnapshotLayout.sha256();
  private final byte[] head = new byte[SnapshotLayout.BLOCK_HEAD_BYTES];
  private final byte[] buffer = new byte[SLACK_BYTES + Limits.BLOCK_BYTES];

  /** Where reading stands in the file. */
  private long place;

  /** Where the window ends in the file. */
  private long windowEnd;

  private long contentBytes;
  private boolean lastWasFull = true;
  private byte @Nullable [] digest;

  /**
   * Reads the head.
   *
   * @throws DamagedException if it is not a snapshot of a version that this build knows
   */
  SnapshotInput(InputStream in) throws IOException {
    super("snapshot");
    this.in = in;
    readFile(head, 0, head.length);
    windowEnd = place;
    byte[] letters = SnapshotLayout.letters();
    if (!Arrays.equals(head, 0, letters.length, letters, 0, letters.length)) {
      throw damaged(0, "it does not begin as a snapshot does");
    }
    int version = ByteBuffer.wrap(head).getShort(letters.length) & 0xffff;
    if (version != SnapshotLayout.VERSION) {
      throw damaged(
          letters.length,
          "version " + version + " is unknown; this build knows " + SnapshotLayout.VERSION);
    }
  }

  @Override
  long offset() {
    return windowEnd - (window.length() - position);
  }

  @Override
  void checkLeft(long at, int length) {}

  @Override
  void fetch(int count) throws IOException {
    long at = offset();
    while (window.length() - position < count) {
      if (!nextBlock()) {
        int left = window.length() - position;
        throw damaged(at, count + " more bytes are needed, " + left + " are left");
      }
    }
  }

  /** Puts the next block behind the unread rest of the window; false if there is none. */
  private boolean nextBlock() throws IOException {
    if (digest != null) {
      return false;
    }
    long start = place;
    readFile(head, 0, head.length);
    int length = ByteBuffer.wrap(head).getInt();
    if (length == 0) {
      digest = end(start);
      return false;
    }
    if (length < 0 || length > Limits.BLOCK_BYTES) {
      throw damaged(
          start,
          "a block of "
              + Integer.toUnsignedLong(length)
              + " bytes; allowed are 1 to "
              + Limits.BLOCK_BYTES);
    }
    if (!lastWasFull) {
      throw damaged(start, "a block follows one that is not full");
    }
    int carried = window.length() - position;
    window.slice(position, carried).copyTo(buffer, 0);
    position = 0;
    window = Bytes.EMPTY;
    readFile(buffer, carried, length);
    check(start, buffer, carried, length);
    sha256.update(buffer, carried, length);
    contentBytes += length;
    lastWasFull = length == Limits.BLOCK_BYTES;
    window = Bytes.of(buffer, 0, carried + length);
    windowEnd = place;
    return true;
  }

  private byte[] end(long start) throws IOException {
    byte[] end = new byte[SnapshotLayout.END_BYTES];
    readFile(end, 0, end.length);
    check(start, end, 0, end.length);
    byte[] found = sha256.digest();
    if (!Arrays.equals(end, SnapshotLayout.end(contentBytes, found))) {
      throw damaged(start, "length or SHA-256 of the content are not those at the end");
    }
    if (in.read() != -1) {
      throw damaged(place, "bytes follow the end");
    }
    return found;
  }

  private void check(long start, byte[] payload, int offset, int length) {
    int written = ByteBuffer.wrap(head).getInt(Integer.BYTES);
    int found = SnapshotLayout.checksum(crc, start, head, payload, offset, length);
    if (written != found) {
      throw damaged(
          start,
          "checksum of the block is "
              + HexFormat.of().toHexDigits(written)
              + ", its bytes have "
              + HexFormat.of().toHexDigits(found));
    }
  }

  private void readFile(byte[] target, int offset, int length) throws IOException {
    int read = in.readNBytes(target, offset, length);
    place += read;
    if (read < length) {
      throw damaged(place, "it is cut off; " + (length - read) + " more bytes are needed");
    }
  }

  /**
   * The part of the content that {@link SnapshotOutput#section} wrote. Reading ends where the
   * section does. Close it before anything else is read. A section of which something is left
   * unread is damage: a service that reads less than it wrote has not restored its state.
   */
  InputStream section() {
    return new Section();
  }

  /**
   * Checks that all of the content was read, that it is the content that was written, and that
   * nothing follows.
   *
   * @return the SHA-256 of the content
   */
  byte[] finish() throws IOException {
    if (position < window.length() || nextBlock()) {
      throw damaged(offset(), "content is left that nobody reads");
    }
    return Objects.requireNonNull(digest).clone();
  }

  private final class Section extends InputStream {
    private int left;
    private boolean lastPieceWasFull = true;
    private boolean ended;

    @Override
    public int read() throws IOException {
      return atEnd() ? -1 : readOne();
    }

    private int readOne() throws IOException {
      left--;
      return u8();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, target.length);
      if (length == 0) {
        return 0;
      }
      if (atEnd()) {
        return -1;
      }
      int step = Math.min(length, left);
      readFully(target, offset, step);
      left -= step;
      return step;
    }

    private boolean atEnd() throws IOException {
      if (left == 0 && !ended) {
        long at = offset();
        left = length("piece of a section", Limits.PIECE_BYTES);
        if (left > 0 && !lastPieceWasFull) {
          throw damaged(at, "a piece of a section follows one that is not full");
        }
        lastPieceWasFull = left == Limits.PIECE_BYTES;
        ended = left == 0;
      }
      return ended;
    }

    @Override
    public void close() throws IOException {
      if (!atEnd()) {
        throw damaged(offset(), "a section is left before its end; the service reads less of it");
      }
    }
  }
}
