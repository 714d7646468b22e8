package io.onceward;

import java.util.HexFormat;

/**
 * A digest of what a request asks, to catch an id that is used again for something else (rule E7).
 * Only fingerprints under the same id are ever compared, so 64 bits are plenty against mistakes,
 * which is what they are for; a caller who forges one harms only requests of his own.
 *
 * <p>There are two digests. {@link #of} is cut from SHA-256 and takes the name of an operation;
 * {@link #ofPayload} is XXH64, not cryptographic and a good deal faster, and is what the client
 * library computes for every request. Nothing on the server knows which one it compares, so all
 * copies of a request must be made with the same.
 *
 * @param bits any value is a fingerprint, zero too
 */
public record Fingerprint(long bits) {
  private static final int DIGITS = 16;

  private static final long P1 = 0x9E3779B185EBCA87L;
  private static final long P2 = 0xC2B2AE3D27D4EB4FL;
  private static final long P3 = 0x165667B19E3779F9L;
  private static final long P4 = 0x85EBCA77C2B2AE63L;
  private static final long P5 = 0x27D4EB2F165667C5L;

  /**
   * The first 64 bits of SHA-256 over operation and payload, each preceded by its length so that
   * the border between them counts.
   *
   * @throws IllegalArgumentException if the operation has a lone surrogate
   */
  public static Fingerprint of(String operation, byte[] payload) {
    byte[] name = IdText.utf8("the name of an operation", operation);
    return new Fingerprint(Sha256.ofParts(name, payload).first());
  }

  /**
   * XXH64 with seed 0 over a payload that tells its operation itself, as the payloads of the client
   * library do. XXH64 is published and exists for every language; two payloads that somebody
   * confused by mistake share it with probability 2^-64.
   */
  public static Fingerprint ofPayload(Bytes payload) {
    return new Fingerprint(xxh64(payload));
  }

  private static long xxh64(Bytes bytes) {
    int length = bytes.length();
    int at = 0;
    long hash;
    if (length >= 32) {
      long b = P2;
      long a = b + P1;
      long c = 0;
      long d = -P1;
      for (; at <= length - 32; at += 32) {
        a = round(a, little(bytes, at));
        b = round(b, little(bytes, at + 8));
        c = round(c, little(bytes, at + 16));
        d = round(d, little(bytes, at + 24));
      }
      hash =
          Long.rotateLeft(a, 1)
              + Long.rotateLeft(b, 7)
              + Long.rotateLeft(c, 12)
              + Long.rotateLeft(d, 18);
      hash = merge(merge(merge(merge(hash, a), b), c), d);
    } else {
      hash = P5;
    }
    hash += length;
    for (; at <= length - 8; at += 8) {
      hash = Long.rotateLeft(hash ^ round(0, little(bytes, at)), 27) * P1 + P4;
    }
    if (at <= length - 4) {
      long four = 0;
      for (int i = 3; i >= 0; i--) {
        four = four << 8 | bytes.at(at + i) & 0xff;
      }
      hash = Long.rotateLeft(hash ^ four * P1, 23) * P2 + P3;
      at += 4;
    }
    for (; at < length; at++) {
      hash = Long.rotateLeft(hash ^ (bytes.at(at) & 0xff) * P5, 11) * P1;
    }
    hash = (hash ^ hash >>> 33) * P2;
    hash = (hash ^ hash >>> 29) * P3;
    return hash ^ hash >>> 32;
  }

  private static long little(Bytes bytes, int at) {
    return Long.reverseBytes(bytes.longAt(at));
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * P2, 31) * P1;
  }

  private static long merge(long hash, long lane) {
    return (hash ^ round(0, lane)) * P1 + P4;
  }

  /**
   * Reads what {@link #toString} printed.
   *
   * @throws IllegalArgumentException if it is not 16 hexadecimal digits
   */
  public static Fingerprint parse(String printed) {
    if (printed.length() != DIGITS) {
      throw new IllegalArgumentException(
          "a fingerprint is "
              + DIGITS
              + " hexadecimal digits, got "
              + printed.length()
              + " characters in "
              + IdText.excerpt(printed));
    }
    return new Fingerprint(IdText.hex("a fingerprint", printed, 0, DIGITS));
  }

  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(bits);
  }
}
