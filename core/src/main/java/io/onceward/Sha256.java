package io.onceward;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The first 128 bits of a SHA-256 digest, most significant byte first. */
record Sha256(long first, long second) {

  static Sha256 of(byte[] bytes) {
    return cut(sha256().digest(bytes));
  }

  /** Over all parts, each preceded by its length in four bytes, most significant first. */
  static Sha256 ofParts(byte[]... parts) {
    MessageDigest digest = sha256();
    byte[] length = new byte[Integer.BYTES];
    for (byte[] part : parts) {
      ByteBuffer.wrap(length).putInt(part.length);
      digest.update(length);
      digest.update(part);
    }
    return cut(digest.digest());
  }

  private static Sha256 cut(byte[] digest) {
    ByteBuffer bytes = ByteBuffer.wrap(digest);
    return new Sha256(bytes.getLong(), bytes.getLong());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform is required to have SHA-256", e);
    }
  }
}
