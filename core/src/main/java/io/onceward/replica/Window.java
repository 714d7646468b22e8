package io.onceward.replica;

import static io.onceward.replica.Blocks.INT;
import static io.onceward.replica.Blocks.LONG;
import static io.onceward.replica.SessionRow.DECIDED_END;
import static io.onceward.replica.SessionRow.FRONTIER;
import static io.onceward.replica.SessionRow.OPTIONS;
import static io.onceward.replica.SessionRow.RING;
import static io.onceward.replica.SessionRow.WATERMARK;

/**
 * The decided sequences of each session, from its watermark upward, as a ring of slots.
 *
 * <p>A slot names the block of a {@link RememberedReply}, or says that the sequence is abandoned or
 * not decided. A session that takes one reply at a time needs a single slot, which stands in the
 * row itself; a ring is made when a client runs ahead, doubles up to the window, and goes when the
 * watermark has passed everything. The frontier, the first undecided sequence, is kept beside it:
 * it is what an ordered session executes next and what no watermark may pass (S5, S6).
 */
final class Window {
  static final int UNDECIDED = 0;
  static final int ABANDONED = 1;
  private static final int SMALLEST_RING_BITS = 2;

  private final Rows rows;
  private final Blocks blocks;
  private final Rows slots;

  Window(Rows rows, Blocks blocks) {
    this.rows = rows;
    this.blocks = blocks;
    this.slots = new Rows(blocks);
  }

  static boolean isReply(int slot) {
    return slot != UNDECIDED && slot != ABANDONED;
  }

  long watermark(int row) {
    return rows.longAt(row, WATERMARK);
  }

  long frontier(int row) {
    return watermark(row) + rows.intAt(row, FRONTIER);
  }

  /** One above the highest sequence that was ever decided. */
  long nextSequence(int row) {
    return watermark(row) + rows.intAt(row, DECIDED_END);
  }

  /** What is known of a sequence at or above the watermark. */
  int slot(int row, long sequence) {
    byte[] page = rows.page(row);
    int at = Blocks.offset(row);
    long ahead = sequence - (long) LONG.get(page, at + WATERMARK);
    if (ahead >= (int) INT.get(page, at + DECIDED_END)) {
      return UNDECIDED;
    }
    int bits = SessionRow.ringBits((int) INT.get(page, at + OPTIONS));
    int ring = (int) INT.get(page, at + RING);
    return bits == 0 ? ring : slots.intAt(ring, index(sequence, bits));
  }

  /** Decides a sequence that was undecided, at or above the watermark and within the window. */
  void decide(int row, long sequence, int slot) {
    byte[] page = rows.writable(row);
    int at = Blocks.offset(row);
    long watermark = (long) LONG.get(page, at + WATERMARK);
    int ahead = (int) (sequence - watermark);
    int bits = SessionRow.ringBits((int) INT.get(page, at + OPTIONS));
    if (ahead >= 1 << bits) {
      bits = grow(row, bits, ahead + 1);
    }
    if (bits == 0) {
      INT.set(page, at + RING, slot);
    } else {
      slots.setInt((int) INT.get(page, at + RING), index(sequence, bits), slot);
    }
    int end = Math.max((int) INT.get(page, at + DECIDED_END), ahead + 1);
    INT.set(page, at + DECIDED_END, end);
    int frontier = (int) INT.get(page, at + FRONTIER);
    if (frontier == ahead) {
      do {
        frontier++;
      } while (frontier < end && slot(row, watermark + frontier) != UNDECIDED);
      INT.set(page, at + FRONTIER, frontier);
    }
  }

  /** Takes the slot at the watermark out and moves the watermark one up. The slot is decided. */
  int passOne(int row) {
    byte[] page = rows.writable(row);
    int at = Blocks.offset(row);
    long watermark = (long) LONG.get(page, at + WATERMARK);
    int bits = SessionRow.ringBits((int) INT.get(page, at + OPTIONS));
    int ring = (int) INT.get(page, at + RING);
    int slot;
    if (bits == 0) {
      slot = ring;
      INT.set(page, at + RING, UNDECIDED);
    } else {
      slot = slots.intAt(ring, index(watermark, bits));
      slots.setInt(ring, index(watermark, bits), UNDECIDED);
    }
    LONG.set(page, at + WATERMARK, watermark + 1);
    INT.set(page, at + FRONTIER, (int) INT.get(page, at + FRONTIER) - 1);
    int end = (int) INT.get(page, at + DECIDED_END) - 1;
    INT.set(page, at + DECIDED_END, end);
    if (end == 0 && bits != 0) {
      dropRing(row, ring);
    } else if (bits > SMALLEST_RING_BITS && end <= 1 << (bits - 2)) {
      resize(row, bits, bits - 1);
    }
    return slot;
  }

  /** Moves the ring and the replies of a row out of pages that are to be left. */
  void settle(int row) {
    int bits = SessionRow.ringBits(rows.intAt(row, OPTIONS));
    int ring = rows.intAt(row, RING);
    if (isReply(ring) && blocks.isLeaving(ring)) {
      ring = blocks.move(ring);
      rows.setInt(row, RING, ring);
    }
    if (bits == 0) {
      return;
    }
    long end = nextSequence(row);
    for (long sequence = watermark(row); sequence < end; sequence++) {
      int slot = slots.intAt(ring, index(sequence, bits));
      if (isReply(slot) && blocks.isLeaving(slot)) {
        slots.setInt(ring, index(sequence, bits), blocks.move(slot));
      }
    }
  }

  private void dropRing(int row, int ring) {
    blocks.free(ring);
    rows.setInt(row, RING, UNDECIDED);
    rows.setInt(row, OPTIONS, SessionRow.withoutRing(rows.intAt(row, OPTIONS)));
  }

  private int grow(int row, int oldBits, long needed) {
    int bits = Math.max(SMALLEST_RING_BITS, 64 - Long.numberOfLeadingZeros(needed - 1));
    resize(row, oldBits, bits);
    return bits;
  }

  private void resize(int row, int oldBits, int bits) {
    int ring = blocks.allocate(4 << bits);
    for (int i = 0; i < 1 << bits; i++) {
      slots.setInt(ring, i << 2, UNDECIDED);
    }
    long end = nextSequence(row);
    for (long sequence = watermark(row); sequence < end; sequence++) {
      slots.setInt(ring, index(sequence, bits), slot(row, sequence));
    }
    if (oldBits != 0) {
      blocks.free(rows.intAt(row, RING));
    }
    rows.setInt(row, RING, ring);
    rows.setInt(row, OPTIONS, SessionRow.withRingBits(rows.intAt(row, OPTIONS), bits));
  }

  /** Where in its ring a sequence stands, in bytes. */
  static int index(long sequence, int bits) {
    return ((int) sequence & ((1 << bits) - 1)) << 2;
  }
}
