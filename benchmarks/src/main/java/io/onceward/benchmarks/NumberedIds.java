package io.onceward.benchmarks;

import java.util.UUID;

/**
 * Ids that look random and are computed from their number, so that a program can ask again for one
 * of ten million keys without keeping ten million keys.
 */
public final class NumberedIds {
  /** What every fingerprint in these programs is made of, besides the number. */
  private static final long FINGERPRINTS = 0x5851_F42D_4C95_7F2DL;

  private NumberedIds() {}

  /** A UUID of version 4: one of version 7 would be a dated key and be judged by its date. */
  public static UUID uuid(long number) {
    long high = mix(number * 2) & ~0xF000L | 0x4000L;
    long low = mix(number * 2 + 1) & ~(3L << 62) | 2L << 62;
    return new UUID(high, low);
  }

  public static long fingerprint(long number) {
    return mix(number ^ FINGERPRINTS);
  }

  /** The finisher of SplitMix64: a bijection, so different numbers never meet. */
  private static long mix(long number) {
    long mixed = (number + 1) * 0x9E37_79B9_7F4A_7C15L;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
    return mixed ^ mixed >>> 31;
  }
}
