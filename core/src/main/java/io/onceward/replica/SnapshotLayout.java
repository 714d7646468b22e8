package io.onceward.replica;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32C;

/**
 * What {@link SnapshotOutput} and {@link SnapshotInput} agree on: a head, full blocks, at most one
 * block that is not full, an end block, and nothing behind it. Where blocks begin depends on the
 * content alone, so equal contents give equal files.
 *
 * <p>A block's checksum covers the place where the block stands, besides its length and payload: a
 * block that was moved, lost or repeated shows where it happens, not only in the digest at the end.
 */
final class SnapshotLayout {
  static final int VERSION = 3;

  /** Six letters and the version in two bytes. */
  static final int HEAD_BYTES = 8;

  /** Length and checksum, four bytes each, most significant first. */
  static final int BLOCK_HEAD_BYTES = 8;

  /** Length of the whole content and its SHA-256. The length in the head of the end block is 0. */
  static final int END_BYTES = Long.BYTES + 32;

  private static final byte[] LETTERS = "OWSNAP".getBytes(StandardCharsets.US_ASCII);

  private SnapshotLayout() {}

  static byte[] letters() {
    return LETTERS.clone();
  }

  /** The checksum of a block, whose length must already stand at the start of its head. */
  static int checksum(CRC32C crc, long place, byte[] head, byte[] payload, int offset, int length) {
    crc.reset();
    for (int shift = 56; shift >= 0; shift -= 8) {
      crc.update((int) (place >>> shift));
    }
    crc.update(head, 0, Integer.BYTES);
    crc.update(payload, offset, length);
    return (int) crc.getValue();
  }

  /** What the end block says about the content. */
  static byte[] end(long contentBytes, byte[] sha256) {
    return ByteBuffer.allocate(END_BYTES).putLong(contentBytes).put(sha256).array();
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform is required to have SHA-256", e);
    }
  }
}
