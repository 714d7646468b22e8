package io.onceward.replica;

import java.util.Arrays;

/**
 * Finds the 32-bit reference of a row by a 64-bit hash of what identifies it. The index stores no
 * identity: it proposes candidates, and its owner compares.
 *
 * <p>Built for tens of millions of rows in one process: about six bytes per row, no pause when it
 * grows, no scan when rows leave.
 *
 * <ul>
 *   <li>Slots stand in groups of fourteen: fourteen one-byte tags (eight bits of the hash, so that
 *       a wrong candidate is rare), two bytes that count the rows which found this group full and
 *       went on to the next, and fourteen references. A search ends at the first group with count
 *       0, so removed rows leave no trace.
 *   <li>Groups stand in segments, which grow by an eighth at a time. Doubling one large table would
 *       leave it half empty and stop apply while it is rehashed.
 *   <li>A segment at its full size splits in two, and a directory indexed by the top bits of the
 *       hash tells which segment to search (extendible hashing).
 * </ul>
 *
 * <p>The layout depends on the order of events and is never part of a digest or a snapshot.
 */
abstract class HashIndex {
  private static final int SLOTS = 14;
  private static final int LONGS = 9;
  private static final int FIRST_GROUPS = 2;
  private static final int FULL_GROUPS = 512;
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long TOPS = 0x8080_8080_8080_8080L;
  private static final long SECOND_TAGS = 0x0000_8080_8080_8080L;
  private static final long ONE_PASSED = 1L << 48;

  private static final class Segment {
    final int depth;
    final int groups;
    final long[] cells;
    int size;

    Segment(int depth, int groups) {
      this.depth = depth;
      this.groups = groups;
      this.cells = new long[groups * LONGS];
    }

    int home(long hash) {
      return (int) (((hash & 0xFFFF_FFFFL) * groups) >>> 32);
    }

    boolean isFull() {
      return size * 32L >= (long) groups * SLOTS * 29;
    }

    void add(long hash, int ref) {
      int group = home(hash);
      while (true) {
        int base = group * LONGS;
        long low = cells[base];
        long high = cells[base + 1];
        long freeLow = zeroBytes(low);
        if (freeLow != 0) {
          int slot = Long.numberOfTrailingZeros(freeLow) >>> 3;
          cells[base] = low | tag(hash) << (slot << 3);
          put(base, slot, ref);
          break;
        }
        long freeHigh = zeroBytes(high) & SECOND_TAGS;
        if (freeHigh != 0) {
          int slot = Long.numberOfTrailingZeros(freeHigh) >>> 3;
          cells[base + 1] = high | tag(hash) << (slot << 3);
          put(base, slot + 8, ref);
          break;
        }
        cells[base + 1] = high + ONE_PASSED;
        group = group + 1 == groups ? 0 : group + 1;
      }
      size++;
    }

    int ref(int base, int slot) {
      return (int) (cells[base + 2 + (slot >>> 1)] >>> ((slot & 1) << 5));
    }

    void put(int base, int slot, int ref) {
      int at = base + 2 + (slot >>> 1);
      int shift = (slot & 1) << 5;
      cells[at] = cells[at] & ~(0xFFFF_FFFFL << shift) | (ref & 0xFFFF_FFFFL) << shift;
    }
  }

  private Segment[] directory = {new Segment(0, FIRST_GROUPS)};
  private int depth;
  private int size;

  // Where the search stands, between first() and next(). Apply is single-threaded.
  private Segment segment = directory[0];
  private long repeatedTag;
  private int base;
  private int slot;
  private long low;
  private long high;
  private int groupsSearched;

  private final Warmth warmth = new Warmth();

  /** The hash of the row behind a reference, needed when a segment is laid out anew. */
  abstract long hashOf(int ref);

  /** Reads something of the row, so that it is in the cache when it is needed. */
  abstract long touchRow(int ref);

  final int size() {
    return size;
  }

  /** The first candidate for this hash, or 0. */
  final int first(long hash) {
    segment = segmentOf(hash);
    repeatedTag = tag(hash) * ONES;
    groupsSearched = 0;
    look(segment.home(hash) * LONGS);
    return next();
  }

  /** The candidate after the last one, or 0. */
  final int next() {
    while (true) {
      if (low != 0) {
        slot = Long.numberOfTrailingZeros(low) >>> 3;
        low &= low - 1;
        return segment.ref(base, slot);
      }
      if (high != 0) {
        slot = (Long.numberOfTrailingZeros(high) >>> 3) + 8;
        high &= high - 1;
        return segment.ref(base, slot);
      }
      if (segment.cells[base + 1] >>> 48 == 0 || ++groupsSearched == segment.groups) {
        return 0;
      }
      look(after(base));
    }
  }

  private void look(int at) {
    base = at;
    low = zeroBytes(segment.cells[at] ^ repeatedTag);
    high = zeroBytes(segment.cells[at + 1] ^ repeatedTag) & SECOND_TAGS;
  }

  private int after(int at) {
    return at + LONGS == segment.cells.length ? 0 : at + LONGS;
  }

  /** Reads the place where a search for this hash will begin, so that it is in the cache then. */
  final long touch(long hash) {
    Segment near = segmentOf(hash);
    int at = near.home(hash) * LONGS;
    return near.cells[at] + near.cells[at + LONGS - 1];
  }

  final void add(long hash, int ref) {
    Segment target = segmentOf(hash);
    while (target.isFull()) {
      makeRoom(target, hash);
      target = segmentOf(hash);
    }
    target.add(hash, ref);
    size++;
  }

  final void remove(long hash, int ref) {
    locate(hash, ref);
    segment.cells[slot < 8 ? base : base + 1] &= ~(0xFFL << ((slot & 7) << 3));
    for (int at = segment.home(hash) * LONGS; at != base; at = after(at)) {
      segment.cells[at + 1] -= ONE_PASSED;
    }
    segment.size--;
    size--;
  }

  /** The row moved. */
  final void replace(long hash, int oldRef, int newRef) {
    locate(hash, oldRef);
    segment.put(base, slot, newRef);
  }

  /** Leaves the search standing at the slot of this reference. */
  private void locate(long hash, int ref) {
    int candidate = first(hash);
    while (candidate != ref) {
      if (candidate == 0) {
        throw new IllegalStateException("reference " + ref + " is not in the index");
      }
      candidate = next();
    }
  }

  /** Lays a full segment out anew: larger, or in two halves when it has its full size. */
  private void makeRoom(Segment full, long hash) {
    int[] refs = refs(full);
    int ones = 0;
    if (full.groups >= FULL_GROUPS) {
      for (int ref : refs) {
        ones += hashOf(ref) << full.depth < 0 ? 1 : 0;
      }
    }
    // Hashes that are all alike do not part; a directory that tried would grow without end.
    if (ones < refs.length / 4 || ones > refs.length - refs.length / 4) {
      Segment larger = new Segment(full.depth, full.groups + Math.max(1, full.groups / 8));
      distribute(refs, full.depth, larger, larger);
      enter(larger, hash);
      return;
    }
    if (full.depth == depth) {
      Segment[] doubled = new Segment[directory.length * 2];
      for (int i = 0; i < doubled.length; i++) {
        doubled[i] = directory[i / 2];
      }
      directory = doubled;
      depth++;
    }
    Segment zero = new Segment(full.depth + 1, groupsFor(refs.length - ones));
    Segment one = new Segment(full.depth + 1, groupsFor(ones));
    distribute(refs, full.depth, zero, one);
    long bit = 1L << (63 - full.depth);
    enter(zero, hash & ~bit);
    enter(one, hash | bit);
  }

  private static int groupsFor(int rows) {
    return rows * 9 / 8 / SLOTS + 2;
  }

  private int[] refs(Segment from) {
    int[] refs = new int[from.size];
    int count = 0;
    for (int at = 0; at < from.cells.length; at += LONGS) {
      for (int s = 0; s < SLOTS; s++) {
        if ((from.cells[at + (s >>> 3)] >>> ((s & 7) << 3) & 0xFF) != 0) {
          refs[count++] = from.ref(at, s);
        }
      }
    }
    // The rows lie anywhere in memory. Read in a loop that does nothing else, their cache misses
    // overlap; read one by one between other work, each would be waited for.
    for (int ref : refs) {
      warmth.add(touchRow(ref));
    }
    return refs;
  }

  /** Adds rows by the first bit of their hash that their former segment did not look at. */
  private void distribute(int[] refs, int formerDepth, Segment zero, Segment one) {
    for (int ref : refs) {
      long hash = hashOf(ref);
      (hash << formerDepth < 0 ? one : zero).add(hash, ref);
    }
  }

  private void enter(Segment entered, long hash) {
    int span = 1 << (depth - entered.depth);
    int start = slotOf(hash, depth) & -span;
    Arrays.fill(directory, start, start + span, entered);
  }

  private Segment segmentOf(long hash) {
    return directory[slotOf(hash, depth)];
  }

  private static int slotOf(long hash, int depth) {
    return (int) (hash >>> 1 >>> (63 - depth));
  }

  /** Eight bits that neither the directory nor the home group uses; 0 marks a free slot. */
  private static long tag(long hash) {
    long bits = (hash >>> 32) & 0xFF;
    return bits == 0 ? 1 : bits;
  }

  /** The top bit of each byte that is zero, exactly: a false one would show a removed row. */
  private static long zeroBytes(long word) {
    return ~(((word & ~TOPS) + ~TOPS) | word | ~TOPS);
  }
}
