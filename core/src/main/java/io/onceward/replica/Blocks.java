package io.onceward.replica;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Memory for small blocks of bytes that come and go: session rows, rings, names, replies.
 *
 * <p>Blocks of one size share a page of 64 KiB; a freed block is the next to be handed out. A block
 * is named by an {@code int} that stays valid until it is freed; 0 and 1 name no block, so owners
 * may use them as marks. Larger blocks have a page of their own.
 *
 * <p>A page stays while one of its blocks lives, so pages can hold many times what lives in them.
 * When they do ({@link #isWasteful}), the owners of blocks move those out of sparse pages ({@link
 * #leaveSparsePages}), a few at a time. Which page a block is in decides nothing.
 *
 * <p>{@link #freeze()} costs one copy of the page directory. After it, a page is copied before it
 * is first written, so the frozen view stands still while its owner goes on.
 */
final class Blocks {
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int UNIT_BITS = 3;
  private static final int PAGE_BITS = 16;
  private static final int PAGE_BYTES = 1 << PAGE_BITS;
  private static final int OFFSET_BITS = PAGE_BITS - UNIT_BITS;
  private static final int OFFSET_MASK = (1 << OFFSET_BITS) - 1;
  static final int MAX_PAGES = 1 << (32 - OFFSET_BITS);
  private static final int HEADER_BYTES = 16;

  /**
   * Two of these fill a page, so every full page holds 32 KiB or more that its owners account for,
   * and the largest table ({@link Parameter#MAX_TABLE_BYTES}) is full long before pages run out:
   * pages differ between replicas and must refuse nothing, and a reply that found none would stop
   * every node after the effect.
   */
  private static final int LARGEST_SHARED = (PAGE_BYTES - HEADER_BYTES) / 2 & -8;

  private static final int NONE = -1;

  /** So much may be held beyond twice what lives: about a page for each size. */
  private static final int SLACK_BYTES = 4 << 20;

  /** The sizes that share pages: steps of 8 up to 128, then steps of about a quarter. */
  private static final int[] SIZES = sizes();

  private static final byte[] SIZE_CLASS_OF_UNITS = sizeClassOfUnits();

  /** What the allocator knows about one page; never read through a frozen view. */
  private static final class Page {
    int sizeClass;
    int live;
    int unused = HEADER_BYTES;
    int freed;
    int epoch;
    int next = NONE;
    int previous = NONE;

    /** Whether its blocks are to move elsewhere. */
    boolean leaving;
  }

  private final int mostPages;
  private byte[][] bytes = new byte[16][];
  private Page[] pages = new Page[16];
  private final int[] roomy = new int[SIZES.length];
  private int[] vacant = new int[16];
  private int vacantCount;
  private int pageCount;
  private int epoch;
  private long heldBytes;
  private long liveBytes;

  Blocks() {
    this(MAX_PAGES);
  }

  /** With room for so many pages, at most {@link #MAX_PAGES}. */
  Blocks(int mostPages) {
    this.mostPages = mostPages;
    Arrays.fill(roomy, NONE);
  }

  /** The pages as they were at {@link Blocks#freeze()}. */
  record View(byte[][] pages) {
    byte[] page(int block) {
      return pages[block >>> OFFSET_BITS];
    }

    /** Calls back for each place where a block of this size may stand, in use or not. */
    void eachPlace(int size, IntConsumer visitor) {
      for (int number = 0; number < pages.length; number++) {
        int end = pages[number] == null ? 0 : pages[number].length - size;
        for (int offset = HEADER_BYTES; offset <= end; offset += size) {
          visitor.accept(number << OFFSET_BITS | offset >> UNIT_BITS);
        }
      }
    }
  }

  /** A view that stands still. */
  View freeze() {
    epoch++;
    return view();
  }

  /** A view that is good until the next write. */
  View view() {
    return new View(Arrays.copyOf(bytes, pageCount));
  }

  /** A block of at least this many bytes, with undefined content. */
  int allocate(int size) {
    if (size > LARGEST_SHARED) {
      int number = newPage(SIZES.length, HEADER_BYTES + size);
      pages[number].live = 1;
      liveBytes += size;
      return number << OFFSET_BITS | HEADER_BYTES >> UNIT_BITS;
    }
    int sizeClass = SIZE_CLASS_OF_UNITS[(size + 7) >>> UNIT_BITS];
    int number = roomy[sizeClass];
    if (number == NONE) {
      number = newPage(sizeClass, PAGE_BYTES);
      link(number);
    }
    Page page = pages[number];
    int offset = page.freed;
    if (offset != 0) {
      page.freed = (int) INT.get(bytes[number], offset);
    } else {
      offset = page.unused;
      page.unused += SIZES[sizeClass];
    }
    page.live++;
    liveBytes += SIZES[sizeClass];
    if (page.freed == 0 && page.unused + SIZES[sizeClass] > PAGE_BYTES) {
      unlink(number);
    }
    return number << OFFSET_BITS | offset >> UNIT_BITS;
  }

  void free(int block) {
    int number = block >>> OFFSET_BITS;
    Page page = pages[number];
    page.live--;
    boolean shared = page.sizeClass < SIZES.length;
    liveBytes -= shared ? SIZES[page.sizeClass] : bytes[number].length - HEADER_BYTES;
    if (page.leaving) {
      if (page.live == 0) {
        vacate(number);
      }
      return;
    }
    if (page.live == 0 && !(shared && isLastWithRoom(number))) {
      if (shared && isLinked(number)) {
        unlink(number);
      }
      vacate(number);
      return;
    }
    int offset = offset(block);
    INT.set(writable(block), offset, page.freed);
    if (!isLinked(number)) {
      link(number);
    }
    page.freed = offset;
  }

  private void vacate(int number) {
    heldBytes -= bytes[number].length;
    bytes[number] = null;
    if (vacantCount == vacant.length) {
      vacant = Arrays.copyOf(vacant, vacantCount * 2);
    }
    vacant[vacantCount++] = number;
  }

  // ---- moving ---------------------------------------------------------------------------------

  /** The bytes of all pages. */
  long heldBytes() {
    return heldBytes;
  }

  /** Whether the pages hold more than twice what lives in them, and a little. */
  boolean isWasteful() {
    return heldBytes - SLACK_BYTES > 2 * liveBytes;
  }

  /** From now on no block is handed out of pages that are less than two thirds full. */
  void leaveSparsePages() {
    for (int number = 0; number < pageCount; number++) {
      Page page = pages[number];
      boolean shared = bytes[number] != null && page.sizeClass < SIZES.length;
      if (shared && 3L * page.live * SIZES[page.sizeClass] < 2L * PAGE_BYTES) {
        page.leaving = true;
        if (isLinked(number)) {
          unlink(number);
        }
        if (page.live == 0) {
          vacate(number);
        }
      }
    }
  }

  /** Whether this block is to move out of its page. */
  boolean isLeaving(int block) {
    return pages[block >>> OFFSET_BITS].leaving;
  }

  /** A block with the same content in another page. */
  int copy(int block) {
    byte[] from = page(block);
    int size = SIZES[pages[block >>> OFFSET_BITS].sizeClass];
    int to = allocate(size);
    System.arraycopy(from, offset(block), writable(to), offset(to), size);
    return to;
  }

  /** Moves a block that is leaving; its owner must use the new name from here on. */
  int move(int block) {
    int to = copy(block);
    free(block);
    return to;
  }

  /** Whether the page of a block that may have been freed is still there. */
  boolean isPresent(int block) {
    return bytes[block >>> OFFSET_BITS] != null;
  }

  /** The page that holds the block, for reading. */
  byte[] page(int block) {
    return bytes[block >>> OFFSET_BITS];
  }

  /** The page that holds the block, for writing; pages read before this call may be stale. */
  byte[] writable(int block) {
    int number = block >>> OFFSET_BITS;
    Page page = pages[number];
    if (page.epoch != epoch) {
      page.epoch = epoch;
      bytes[number] = bytes[number].clone();
    }
    return bytes[number];
  }

  /** Where in its page the block begins. */
  static int offset(int block) {
    return (block & OFFSET_MASK) << UNIT_BITS;
  }

  /** The bytes that a block of this size really takes. */
  static int rounded(int size) {
    return size > LARGEST_SHARED ? size : SIZES[SIZE_CLASS_OF_UNITS[(size + 7) >>> UNIT_BITS]];
  }

  private int newPage(int sizeClass, int size) {
    int number = vacantCount > 0 ? vacant[--vacantCount] : pageCount++;
    if (number == mostPages) {
      throw new IllegalStateException("the table needs more than " + mostPages + " pages");
    }
    if (number == bytes.length) {
      bytes = Arrays.copyOf(bytes, number * 2);
      pages = Arrays.copyOf(pages, number * 2);
    }
    bytes[number] = new byte[size];
    heldBytes += size;
    Page page = new Page();
    page.sizeClass = sizeClass;
    page.epoch = epoch;
    pages[number] = page;
    return number;
  }

  private boolean isLinked(int number) {
    return pages[number].previous != NONE || roomy[pages[number].sizeClass] == number;
  }

  /** A page that would only be made again for the next block of its size. */
  private boolean isLastWithRoom(int number) {
    int first = roomy[pages[number].sizeClass];
    return first == NONE || first == number && pages[number].next == NONE;
  }

  private void link(int number) {
    Page page = pages[number];
    page.next = roomy[page.sizeClass];
    page.previous = NONE;
    if (page.next != NONE) {
      pages[page.next].previous = number;
    }
    roomy[page.sizeClass] = number;
  }

  private void unlink(int number) {
    Page page = pages[number];
    if (page.next != NONE) {
      pages[page.next].previous = page.previous;
    }
    if (page.previous != NONE) {
      pages[page.previous].next = page.next;
    } else {
      roomy[page.sizeClass] = page.next;
    }
    page.next = NONE;
    page.previous = NONE;
  }

  private static int[] sizes() {
    int[] sizes = new int[64];
    int count = 0;
    for (int size = 8; size <= LARGEST_SHARED; size += size < 128 ? 8 : size / 4 & -8) {
      sizes[count++] = size;
    }
    sizes[count++] = LARGEST_SHARED;
    return Arrays.copyOf(sizes, count);
  }

  private static byte[] sizeClassOfUnits() {
    byte[] classes = new byte[(LARGEST_SHARED >> UNIT_BITS) + 1];
    int sizeClass = 0;
    for (int units = 0; units < classes.length; units++) {
      if (units << UNIT_BITS > SIZES[sizeClass]) {
        sizeClass++;
      }
      classes[units] = (byte) sizeClass;
    }
    return classes;
  }
}
