package io.onceward.replica;

/**
 * Hashes for the indexes. The seed is the node's own secret, so that nobody can send ids that all
 * meet in one place; it shapes the layout of an index and never a decision.
 */
final class Hash {
  private static final long K0 = 0x9E37_79B9_7F4A_7C15L;
  private static final long K1 = 0xC2B2_AE3D_27D4_EB4FL;

  private final long seed;

  Hash(long seed) {
    this.seed = mix(seed ^ K1);
  }

  long of(long value) {
    return mix((value ^ seed) * K0);
  }

  long of(long first, long second) {
    return mix(mix((first ^ seed) * K0) + second * K1);
  }

  long of(long first, long second, long third) {
    return mix(of(first, second) ^ third * K0);
  }

  long of(long first, byte[] bytes) {
    long hash = of(first, bytes.length);
    for (byte next : bytes) {
      hash = (hash ^ next) * K0;
      hash ^= hash >>> 29;
    }
    return mix(hash);
  }

  long of(long first, String text) {
    long hash = of(first, text.length());
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * K0;
      hash ^= hash >>> 29;
    }
    return mix(hash);
  }

  private static long mix(long value) {
    long mixed = (value ^ value >>> 32) * K1;
    mixed = (mixed ^ mixed >>> 29) * K0;
    return mixed ^ mixed >>> 32;
  }
}
