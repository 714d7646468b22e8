package io.onceward.server;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * SipHash-1-3, keyed with a secret of this node. Clients choose their ids; without the key they
 * cannot choose ids that meet in one place of a hash table, which would then be searched one by one
 * while everybody waits (L2).
 *
 * <p>Parts go in one after the other, then {@link #end} gives the hash and starts anew. One thread
 * at a time uses it.
 */
final class SeededHash {
  private final long k0;
  private final long k1;
  private long v0;
  private long v1;
  private long v2;
  private long v3;
  private int words;

  /**
   * Hashes with this key.
   *
   * @param k0 with {@code k1} 128 bits that nobody else knows
   */
  SeededHash(long k0, long k1) {
    this.k0 = k0;
    this.k1 = k1;
    start();
  }

  private void start() {
    v0 = k0 ^ 0x736f6d6570736575L;
    v1 = k1 ^ 0x646f72616e646f6dL;
    v2 = k0 ^ 0x6c7967656e657261L;
    v3 = k1 ^ 0x7465646279746573L;
    words = 0;
  }

  SeededHash add(long word) {
    words++;
    v3 ^= word;
    round();
    v0 ^= word;
    return this;
  }

  /** Four characters to a word, then the length, so that the border to the next part counts. */
  SeededHash add(String text) {
    int length = text.length();
    for (int at = 0; at < length; at += 4) {
      long word = 0;
      for (int i = at; i < Math.min(at + 4, length); i++) {
        word = word << Character.SIZE | text.charAt(i);
      }
      add(word);
    }
    return add(length);
  }

  SeededHash add(Bytes bytes) {
    int length = bytes.length();
    int at = 0;
    for (; at <= length - Long.BYTES; at += Long.BYTES) {
      add(bytes.longAt(at));
    }
    long rest = 0;
    for (; at < length; at++) {
      rest = rest << Byte.SIZE | bytes.at(at) & 0xff;
    }
    return add(rest).add(length);
  }

  SeededHash add(@Nullable Fingerprint fingerprint) {
    return fingerprint == null ? add(0L) : add(1L).add(fingerprint.bits());
  }

  int end() {
    long last = (long) words << 59;
    v3 ^= last;
    round();
    v0 ^= last;
    v2 ^= 0xff;
    round();
    round();
    round();
    long hash = v0 ^ v1 ^ v2 ^ v3;
    start();
    return (int) (hash ^ hash >>> 32);
  }

  private void round() {
    v0 += v1;
    v1 = Long.rotateLeft(v1, 13) ^ v0;
    v0 = Long.rotateLeft(v0, 32);
    v2 += v3;
    v3 = Long.rotateLeft(v3, 16) ^ v2;
    v0 += v3;
    v3 = Long.rotateLeft(v3, 21) ^ v0;
    v2 += v1;
    v1 = Long.rotateLeft(v1, 17) ^ v2;
    v2 = Long.rotateLeft(v2, 32);
  }
}
