package io.onceward.replica;

import java.util.Arrays;

/**
 * Finds the 32-bit reference of a row by a 64-bit hash of what identifies it. The index stores no
 * identity: it proposes candidates, and its owner compares.
 *
 * <p>Built for tens of millions of rows in one process that come and go all the time: about seven
 * bytes per row, no pause when it grows, and no search that grows longer with use.
 *
 * <ul>
 *   <li>Slots stand in groups of fourteen, which take 72 bytes: a byte of tag for each (eight bits
 *       of the hash, so that a wrong candidate is rare; 0 is a free slot), two bytes unused, and
 *       the references, so that what a search reads lies together. A row stands in one of two
 *       groups that its hash names, the emptier one at the time. With two choices groups fill
 *       evenly to three quarters and more, and a search reads two groups, whatever happened before.
 *       Probing from one home group onward needs fewer bytes on paper, but rows that come and go
 *       leave it with ever longer chains.
 *   <li>Groups stand in segments, which grow by an eighth at a time. Doubling one large table would
 *       leave it half empty and stop apply while it is laid out anew.
 *   <li>A segment at its full size splits in two, and a directory indexed by the top bits of the
 *       hash tells which segment to search (extendible hashing).
 *   <li>Rows that find both groups full in a segment that is mostly empty have been made to
 *       collide; they go to the segment's stash, which is searched in a row: that costs time,
 *       nothing else.
 * </ul>
 *
 * <p>The layout depends on the order of events and is never part of a digest or a snapshot.
 */
abstract class HashIndex {
  private static final int SLOTS = 14;
  private static final int LONGS = 9;
  private static final int REFS = 2;
  private static final int FIRST_GROUPS = 2;
  private static final int FULL_GROUPS = 512;
  private static final long SECOND = 0x9E37_79B9_7F4A_7C15L;
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long TOPS = 0x8080_8080_8080_8080L;

  /** The second word of tags has six of them. */
  private static final long SIX = 0x0000_8080_8080_8080L;

  /** Groups, each named by its first cell, and the rows that found both of theirs full. */
  private static final class Segment {
    final int depth;
    final int groups;
    final long[] cells;
    int[] stash = new int[0];
    int size;

    Segment(int depth, int groups) {
      this.depth = depth;
      this.groups = groups;
      this.cells = new long[groups * LONGS];
    }

    int firstGroup(long hash) {
      return (int) (((hash & 0xFFFF_FFFFL) * groups) >>> 32) * LONGS;
    }

    int secondGroup(long hash, int first) {
      int second = (int) (((hash * SECOND >>> 32) * groups) >>> 32) * LONGS;
      if (second != first) {
        return second;
      }
      return second + LONGS == cells.length ? 0 : second + LONGS;
    }

    /** Adds the row to the emptier of its groups; false if both are full. */
    boolean add(long hash, int ref) {
      int first = firstGroup(hash);
      int second = secondGroup(hash, first);
      int group = free(second) > free(first) ? second : first;
      int slot = slot(matches(group, 0), matchesAfter(group, 0));
      if (slot < 0) {
        return false;
      }
      cells[group + slot / Long.BYTES] |= tag(hash) << (slot % Long.BYTES << 3);
      setRef(group, slot, ref);
      size++;
      return true;
    }

    private int free(int group) {
      return Long.bitCount(matches(group, 0)) + Long.bitCount(matchesAfter(group, 0));
    }

    /** Marks those of the first eight slots of a group that have this tag. */
    long matches(int group, long repeatedTag) {
      return zeroBytes(cells[group] ^ repeatedTag);
    }

    /** The same for the six slots after those. */
    long matchesAfter(int group, long repeatedTag) {
      return zeroBytes(cells[group + 1] ^ repeatedTag) & SIX;
    }

    /** The first slot that is marked, or -1. */
    static int slot(long marks, long marksAfter) {
      if (marks != 0) {
        return Long.numberOfTrailingZeros(marks) >>> 3;
      }
      return marksAfter == 0 ? -1 : Long.BYTES + (Long.numberOfTrailingZeros(marksAfter) >>> 3);
    }

    int ref(int group, int slot) {
      return (int) (cells[group + REFS + (slot >>> 1)] >>> ((slot & 1) << 5));
    }

    void setRef(int group, int slot, int ref) {
      int at = group + REFS + (slot >>> 1);
      int shift = (slot & 1) << 5;
      cells[at] = cells[at] & ~(0xFFFF_FFFFL << shift) | (ref & 0xFFFF_FFFFL) << shift;
    }

    void addOrStash(long hash, int ref) {
      if (!add(hash, ref)) {
        stash = Arrays.copyOf(stash, stash.length + 1);
        stash[stash.length - 1] = ref;
        size++;
      }
    }

    /** Whether both groups of a row can only be full because many rows have its hash. */
    boolean isMostlyEmpty() {
      return size - stash.length < groups * SLOTS / 2;
    }
  }

  private Segment[] directory = {new Segment(0, FIRST_GROUPS)};
  private int depth;
  private int size;
  private final Warmth warmth = new Warmth();

  // Where the search stands, between first() and next(). Apply is single-threaded.
  private Segment segment = directory[0];
  private long repeatedTag;
  private int group;
  private int secondGroup;
  private long marks;
  private long marksAfter;
  private boolean inSecond;
  private int stashed;
  private int slot;

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
    int home = segment.firstGroup(hash);
    secondGroup = segment.secondGroup(hash, home);
    inSecond = false;
    stashed = 0;
    look(home);
    return next();
  }

  private void look(int at) {
    group = at;
    marks = segment.matches(at, repeatedTag);
    marksAfter = segment.matchesAfter(at, repeatedTag);
  }

  /** The candidate after the last one, or 0. */
  final int next() {
    while (true) {
      slot = Segment.slot(marks, marksAfter);
      if (slot >= 0) {
        if (marks != 0) {
          marks &= marks - 1;
        } else {
          marksAfter &= marksAfter - 1;
        }
        return segment.ref(group, slot);
      }
      if (inSecond) {
        return stashed < segment.stash.length ? segment.stash[stashed++] : 0;
      }
      inSecond = true;
      look(secondGroup);
    }
  }

  /** The first candidate for this hash, or 0; leaves a search that is under way alone. */
  final int peek(long hash) {
    Segment near = segmentOf(hash);
    long repeated = tag(hash) * ONES;
    int home = near.firstGroup(hash);
    int found = Segment.slot(near.matches(home, repeated), near.matchesAfter(home, repeated));
    if (found >= 0) {
      return near.ref(home, found);
    }
    int other = near.secondGroup(hash, home);
    found = Segment.slot(near.matches(other, repeated), near.matchesAfter(other, repeated));
    return found < 0 ? 0 : near.ref(other, found);
  }

  /**
   * Reads the places where a search for this hash will look, so that they are in the cache then.
   */
  final long touch(long hash) {
    Segment near = segmentOf(hash);
    int home = near.firstGroup(hash);
    int other = near.secondGroup(hash, home);
    return near.cells[home]
        + near.cells[home + LONGS - 1]
        + near.cells[other]
        + near.cells[other + LONGS - 1];
  }

  final void add(long hash, int ref) {
    size++;
    while (true) {
      Segment target = segmentOf(hash);
      if (target.add(hash, ref)) {
        return;
      }
      if (target.isMostlyEmpty()) {
        target.addOrStash(hash, ref);
        return;
      }
      makeRoom(target, hash);
    }
  }

  final void remove(long hash, int ref) {
    locate(hash, ref);
    if (slot >= 0) {
      segment.cells[group + slot / Long.BYTES] &= ~(0xFFL << (slot % Long.BYTES << 3));
    } else {
      int last = segment.stash.length - 1;
      segment.stash[stashed - 1] = segment.stash[last];
      segment.stash = Arrays.copyOf(segment.stash, last);
    }
    segment.size--;
    size--;
  }

  /** The row moved. */
  final void replace(long hash, int oldRef, int newRef) {
    locate(hash, oldRef);
    if (slot >= 0) {
      segment.setRef(group, slot, newRef);
    } else {
      segment.stash[stashed - 1] = newRef;
    }
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

  /** Lays the whole index out anew for so many rows, which are to follow soon. */
  final void reserve(long expected) {
    long rows = Math.max(expected, size);
    Segment[] former = directory;
    int formerDepth = depth;
    depth = 0;
    while (rows >> depth > FULL_GROUPS * SLOTS / 2) {
      depth++;
    }
    directory = new Segment[1 << depth];
    int groups = Math.max(FIRST_GROUPS, groupsFor((int) (rows >> depth)));
    for (int i = 0; i < directory.length; i++) {
      directory[i] = new Segment(depth, groups);
    }
    for (int i = 0; i < former.length; i += 1 << (formerDepth - former[i].depth)) {
      for (int ref : refs(former[i])) {
        long hash = hashOf(ref);
        segmentOf(hash).addOrStash(hash, ref);
      }
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

  /** Groups for so many rows, filled to two thirds. */
  private static int groupsFor(int rows) {
    return rows * 3 / 2 / SLOTS + 2;
  }

  private int[] refs(Segment from) {
    int[] refs = Arrays.copyOf(from.stash, from.size);
    int count = from.stash.length;
    for (int at = 0; at < from.cells.length; at += LONGS) {
      for (int place = 0; place < SLOTS; place++) {
        if ((from.cells[at + place / Long.BYTES] >>> (place % Long.BYTES << 3) & 0xFF) != 0) {
          refs[count++] = from.ref(at, place);
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
      (hash << formerDepth < 0 ? one : zero).addOrStash(hash, ref);
    }
  }

  private void enter(Segment entered, long hash) {
    int span = 1 << (depth - entered.depth);
    int start = placeOf(hash, depth) & -span;
    Arrays.fill(directory, start, start + span, entered);
  }

  private Segment segmentOf(long hash) {
    return directory[placeOf(hash, depth)];
  }

  private static int placeOf(long hash, int depth) {
    return (int) (hash >>> 1 >>> (63 - depth));
  }

  /** Eight bits that neither the directory nor the first group uses; 0 marks a free slot. */
  private static long tag(long hash) {
    long bits = (hash >>> 32) & 0xFF;
    return bits == 0 ? 1 : bits;
  }

  /** The top bit of each byte that is zero, exactly: a false one would show a removed row. */
  private static long zeroBytes(long word) {
    return ~(((word & ~TOPS) + ~TOPS) | word | ~TOPS);
  }
}
