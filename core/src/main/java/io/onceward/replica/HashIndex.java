package io.onceward.replica;

import java.util.Arrays;

/**
 * Finds the 32-bit reference of a row by a 64-bit hash of what identifies it. The index stores no
 * identity: it proposes candidates, and its owner compares.
 *
 * <p>Built for tens of millions of rows in one process that come and go all the time: about six
 * bytes per row, no pause when it grows, and no search that grows longer with use.
 *
 * <ul>
 *   <li>Slots stand in groups of 32: a byte of tag for each (eight bits of the hash, so that a
 *       wrong candidate is rare; 0 is a free slot) and, elsewhere, a reference. A row stands in one
 *       of two groups that its hash names, the emptier one at the time. With two choices groups
 *       fill evenly to almost nine tenths, and a search reads two groups, whatever happened before.
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
  private static final int SLOTS = 32;
  private static final int WORDS = SLOTS / Long.BYTES;
  private static final int FIRST_GROUPS = 2;
  private static final int FULL_GROUPS = 224;
  private static final long SECOND = 0x9E37_79B9_7F4A_7C15L;
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long TOPS = 0x8080_8080_8080_8080L;

  private static final class Segment {
    final int depth;
    final int groups;
    final long[] tags;
    final int[] refs;
    int[] stash = new int[0];
    int size;

    Segment(int depth, int groups) {
      this.depth = depth;
      this.groups = groups;
      this.tags = new long[groups * WORDS];
      this.refs = new int[groups * SLOTS];
    }

    int firstGroup(long hash) {
      return (int) (((hash & 0xFFFF_FFFFL) * groups) >>> 32);
    }

    int secondGroup(long hash, int first) {
      int second = (int) (((hash * SECOND >>> 32) * groups) >>> 32);
      return second != first ? second : second + 1 == groups ? 0 : second + 1;
    }

    /** Adds the row to the emptier of its groups; false if both are full. */
    boolean add(long hash, int ref) {
      int slot = freeSlot(hash);
      if (slot < 0) {
        return false;
      }
      tags[slot / Long.BYTES] |= tag(hash) << (slot % Long.BYTES << 3);
      refs[slot] = ref;
      size++;
      return true;
    }

    /** A free slot in the emptier group of a hash; -1 if both groups are full. */
    int freeSlot(long hash) {
      int first = firstGroup(hash);
      int second = secondGroup(hash, first);
      int word = (free(second) > free(first) ? second : first) * WORDS;
      for (int end = word + WORDS; word < end; word++) {
        long zeros = zeroBytes(tags[word]);
        if (zeros != 0) {
          return word * Long.BYTES + (Long.numberOfTrailingZeros(zeros) >>> 3);
        }
      }
      return -1;
    }

    /** The first reference in a group whose tag matches, or 0. */
    int find(int group, long repeatedTag) {
      for (int word = group * WORDS; word < (group + 1) * WORDS; word++) {
        long matches = zeroBytes(tags[word] ^ repeatedTag);
        if (matches != 0) {
          return refs[word * Long.BYTES + (Long.numberOfTrailingZeros(matches) >>> 3)];
        }
      }
      return 0;
    }

    private int free(int group) {
      int count = 0;
      for (int word = group * WORDS; word < (group + 1) * WORDS; word++) {
        count += Long.bitCount(zeroBytes(tags[word]));
      }
      return count;
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
  private long matches;
  private int word;
  private int wordsLeft;
  private int secondGroup;
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
    int group = segment.firstGroup(hash);
    secondGroup = segment.secondGroup(hash, group);
    word = group * WORDS;
    wordsLeft = 2 * WORDS;
    matches = zeroBytes(segment.tags[word] ^ repeatedTag);
    return next();
  }

  /** The candidate after the last one, or 0. */
  final int next() {
    while (matches == 0) {
      if (--wordsLeft <= 0) {
        return nextOfStash();
      }
      word = wordsLeft == WORDS ? secondGroup * WORDS : word + 1;
      matches = zeroBytes(segment.tags[word] ^ repeatedTag);
    }
    slot = word * Long.BYTES + (Long.numberOfTrailingZeros(matches) >>> 3);
    matches &= matches - 1;
    return segment.refs[slot];
  }

  /** Goes on through the stash, where {@code slot} counts down from -1. */
  private int nextOfStash() {
    int at = -wordsLeft;
    if (at >= segment.stash.length) {
      return 0;
    }
    slot = -1 - at;
    return segment.stash[at];
  }

  /**
   * Reads the places where a search for this hash will look, so that they are in the cache then.
   */
  final long touch(long hash) {
    Segment near = segmentOf(hash);
    int group = near.firstGroup(hash);
    int other = near.secondGroup(hash, group);
    return near.tags[group * WORDS] + near.tags[other * WORDS];
  }

  /** The first candidate for this hash, or 0; leaves a search that is under way alone. */
  final int peek(long hash) {
    Segment near = segmentOf(hash);
    long repeated = tag(hash) * ONES;
    int group = near.firstGroup(hash);
    int found = near.find(group, repeated);
    return found != 0 ? found : near.find(near.secondGroup(hash, group), repeated);
  }

  /** Reads the place that {@link #add} would write, so that it is in the cache then. */
  final long touchFree(long hash) {
    Segment near = segmentOf(hash);
    int slot = near.freeSlot(hash);
    return slot < 0 ? 0 : near.refs[slot];
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
      segment.tags[slot / Long.BYTES] &= ~(0xFFL << (slot % Long.BYTES << 3));
    } else {
      int last = segment.stash.length - 1;
      segment.stash[-1 - slot] = segment.stash[last];
      segment.stash = Arrays.copyOf(segment.stash, last);
    }
    segment.size--;
    size--;
  }

  /** The row moved. */
  final void replace(long hash, int oldRef, int newRef) {
    locate(hash, oldRef);
    if (slot >= 0) {
      segment.refs[slot] = newRef;
    } else {
      segment.stash[-1 - slot] = newRef;
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
  final void reserve(long rows) {
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

  /** Groups for so many rows and about an eighth more. */
  private static int groupsFor(int rows) {
    return rows * 4 / 3 / SLOTS + 2;
  }

  private int[] refs(Segment from) {
    int[] refs = Arrays.copyOf(from.stash, from.size);
    int count = from.stash.length;
    for (int at = 0; at < from.refs.length; at++) {
      if ((from.tags[at / Long.BYTES] >>> (at % Long.BYTES << 3) & 0xFF) != 0) {
        refs[count++] = from.refs[at];
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
