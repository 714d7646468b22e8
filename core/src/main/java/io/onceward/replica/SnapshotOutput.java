package io.onceward.replica;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * Encodes a snapshot's content into checked blocks ({@link SnapshotLayout}). Nothing reads as a
 * snapshot before {@link #finish} has returned. The stream below is neither flushed nor closed.
 */
final class SnapshotOutput extends Encoder<IOException> {
  /** As much as {@link #makeRoom} may be asked for; a block is passed on when it is surely full. */
  private static final int SLACK_BYTES = 16;

  private static final int PAYLOAD = SnapshotLayout.BLOCK_HEAD_BYTES;

  private final OutputStream out;
  private final CRC32C crc = new CRC32C();
  private final MessageDigest sha256 = SnapshotLayout.sha256();
  private long place;
  private long contentBytes;
  private boolean sectionIsOpen;
  private boolean finished;

  SnapshotOutput(OutputStream out) throws IOException {
    // The buffer holds a block's head and payload side by side, to be written in one piece.
    super(new byte[PAYLOAD + Limits.BLOCK_BYTES + SLACK_BYTES], PAYLOAD);
    this.out = out;
    out.write(SnapshotLayout.letters());
    out.write(SnapshotLayout.VERSION >>> 8);
    out.write(SnapshotLayout.VERSION);
    place = SnapshotLayout.HEAD_BYTES;
  }

  @Override
  void makeRoom(int count) throws IOException {
    if (finished) {
      throw new IllegalStateException("the snapshot is finished");
    }
    passOn(Limits.BLOCK_BYTES);
  }

  /** Writes the first bytes of the payload as a block; the few behind them begin the next one. */
  private void passOn(int length) throws IOException {
    sha256.update(buffer, PAYLOAD, length);
    contentBytes += length;
    ByteBuffer head = ByteBuffer.wrap(buffer).putInt(length);
    head.putInt(SnapshotLayout.checksum(crc, place, buffer, buffer, PAYLOAD, length));
    out.write(buffer, 0, PAYLOAD + length);
    place += PAYLOAD + length;
    int rest = position - PAYLOAD - length;
    System.arraycopy(buffer, PAYLOAD + length, buffer, PAYLOAD, rest);
    position = PAYLOAD + rest;
  }

  /**
   * A part of the content whose length need not be known, for bytes that a service writes. Close it
   * before anything else is written; closing it leaves this stream open.
   */
  OutputStream section() {
    checkNoSection();
    sectionIsOpen = true;
    return new Section();
  }

  /**
   * Writes what is left and the end.
   *
   * @return the SHA-256 of the content
   */
  byte[] finish() throws IOException {
    checkNoSection();
    if (finished) {
      throw new IllegalStateException("the snapshot is finished");
    }
    while (position > PAYLOAD) {
      passOn(Math.min(position - PAYLOAD, Limits.BLOCK_BYTES));
    }
    byte[] digest = sha256.digest();
    byte[] end = SnapshotLayout.end(contentBytes, digest);
    byte[] head = new byte[SnapshotLayout.BLOCK_HEAD_BYTES];
    int checksum = SnapshotLayout.checksum(crc, place, head, end, 0, end.length);
    out.write(ByteBuffer.wrap(head).putInt(0).putInt(checksum).array());
    out.write(end);
    finished = true;
    buffer = new byte[0];
    position = 0;
    return digest;
  }

  private void checkNoSection() {
    if (sectionIsOpen) {
      throw new IllegalStateException("a section of the snapshot is still open");
    }
  }

  /** Cuts what is written into pieces of one size, however small or large the single writes are. */
  private final class Section extends OutputStream {
    private final byte[] piece = new byte[Limits.PIECE_BYTES];
    private int filled;
    private boolean closed;

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      if (closed) {
        throw new IOException("this section of the snapshot is closed");
      }
      int done = 0;
      while (done < length) {
        int step = Math.min(length - done, piece.length - filled);
        System.arraycopy(bytes, offset + done, piece, filled, step);
        filled += step;
        done += step;
        if (filled == piece.length) {
          passOnPiece();
        }
      }
    }

    private void passOnPiece() throws IOException {
      varint(filled);
      raw(piece, 0, filled);
      filled = 0;
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      if (filled > 0) {
        passOnPiece();
      }
      varint(0);
      closed = true;
      sectionIsOpen = false;
    }
  }
}
