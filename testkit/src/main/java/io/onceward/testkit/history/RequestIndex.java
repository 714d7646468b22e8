package io.onceward.testkit.history;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Finds the request to which an op belongs, by 128 bits that are mixed from its service and id. Ten
 * million different ids meet by chance with a probability of 2^-82, so the ids themselves stay in
 * the file.
 */
final class RequestIndex {
  private static final long K0 = 0x9E37_79B9_7F4A_7C15L;
  private static final long K1 = 0xC2B2_AE3D_27D4_EB4FL;

  private long[] high;
  private long[] low;
  private final int[] slots;
  private int size;

  RequestIndex(int expected) {
    high = new long[Math.max(16, expected)];
    low = new long[high.length];
    slots = new int[slotsFor(high.length)];
    Arrays.fill(slots, -1);
  }

  private static int slotsFor(int entries) {
    return Math.max(64, Integer.highestOneBit(Math.max(1, entries)) << 2) & 0x7fff_ffff;
  }

  /** The number of the request with this id, which is new if it equals the size before. */
  int of(int service, ByteBuffer body, int start, int length) {
    long first = mix(K0 * (service + 1) ^ length);
    long second = mix(K1 ^ first);
    for (int i = start; i < start + length; i++) {
      first = mix((first ^ body.get(i)) * K0);
      second = (second ^ body.get(i)) * K1;
      second ^= second >>> 29;
    }
    second = mix(second);
    int mask = slots.length - 1;
    int slot = (int) first & mask;
    while (slots[slot] >= 0) {
      if (high[slots[slot]] == first && low[slots[slot]] == second) {
        return slots[slot];
      }
      slot = slot + 1 & mask;
    }
    int request = fresh();
    high[request] = first;
    low[request] = second;
    slots[slot] = request;
    return request;
  }

  /** The number of a request that no id finds. */
  int fresh() {
    if (size == high.length) {
      high = Arrays.copyOf(high, size + (size >> 3) + 16);
      low = Arrays.copyOf(low, high.length);
    }
    return size++;
  }

  int size() {
    return size;
  }

  private static long mix(long value) {
    long mixed = (value ^ value >>> 32) * K1;
    mixed = (mixed ^ mixed >>> 29) * K0;
    return mixed ^ mixed >>> 32;
  }
}
