package io.onceward.testkit.history;

import java.util.function.IntToLongFunction;

/** Sorts many numbers by a key in linear time: by its eight bytes, the lowest first, stable. */
final class ByKey {
  private ByKey() {}

  /** The given items in ascending order of their keys. The array is used up. */
  static int[] sorted(int[] items, int count, IntToLongFunction key) {
    int[] from = items;
    int[] to = new int[count];
    for (int shift = 0; shift < Long.SIZE; shift += 8) {
      int[] starts = new int[257];
      for (int i = 0; i < count; i++) {
        starts[digit(key.applyAsLong(from[i]), shift) + 1]++;
      }
      boolean same = false;
      for (int digit = 0; digit < 256; digit++) {
        same |= starts[digit + 1] == count;
        starts[digit + 1] += starts[digit];
      }
      if (same) {
        continue;
      }
      for (int i = 0; i < count; i++) {
        to[starts[digit(key.applyAsLong(from[i]), shift)]++] = from[i];
      }
      int[] swap = from.length == count ? from : new int[count];
      from = to;
      to = swap;
    }
    return from.length == count ? from : java.util.Arrays.copyOf(from, count);
  }

  private static int digit(long key, int shift) {
    // The sign bit is turned around so that negative keys come first.
    return (int) ((key ^ Long.MIN_VALUE) >>> shift) & 0xff;
  }
}
