package io.onceward.replica;

import static io.onceward.replica.SessionRow.INCARNATION;
import static io.onceward.replica.SessionRow.NAME;
import static io.onceward.replica.SessionRow.SESSION;

/**
 * Which sequences of a durable name belong to which incarnation (S4). An incarnation that took over
 * with the journal of its predecessor goes on with its sequences; one that took over without may
 * use a sequence that the predecessor still has in flight for another request. Whoever asks about a
 * sequence is only ever told of its own requests and of those whose journal it inherited.
 *
 * <p>The present incarnation owns what is from its floor on. The one before it owns what was
 * decided when it was superseded: later sequences may be anybody's. Earlier ones are told nothing.
 *
 * <p>It stands behind the name in the name's block, so that only durable sessions pay for it.
 */
final class Lineage {
  static final int BYTES = 3 * Long.BYTES;

  /** The first sequence of the present incarnation and of those whose journals it inherited. */
  private static final int FLOOR = 0;

  /** The incarnation that the present one superseded; 0 if there was none. */
  private static final int PREDECESSOR = 8;

  /** The other end of what the predecessor owns; the one end is the floor. */
  private static final int BOUND = 16;

  private final Rows rows;
  private final Blocks blocks;

  Lineage(Rows rows, Blocks blocks) {
    this.rows = rows;
    this.blocks = blocks;
  }

  /** A name is opened for the first time. */
  void begin(int row) {
    set(row, 1, 0, 1);
  }

  void set(int row, long floor, long predecessor, long bound) {
    int block = rows.intAt(row, NAME);
    byte[] page = blocks.writable(block);
    int at = place(page, block);
    Blocks.LONG.set(page, at + FLOOR, floor);
    Blocks.LONG.set(page, at + PREDECESSOR, predecessor);
    Blocks.LONG.set(page, at + BOUND, bound);
  }

  /** Another incarnation takes over, before the row says so. */
  void succeed(int row, boolean fromJournal, long nextSequence) {
    long floor = floor(row);
    long predecessor = rows.longAt(row, INCARNATION);
    if (fromJournal) {
      set(row, floor, predecessor, nextSequence);
    } else {
      set(row, nextSequence, predecessor, floor);
    }
  }

  /** Whether an incarnation may be told about a sequence. */
  boolean owns(int row, long incarnation, long sequence) {
    long floor = floor(row);
    if (incarnation == rows.longAt(row, INCARNATION)) {
      return sequence >= floor;
    }
    byte[] page = blocks.page(rows.intAt(row, NAME));
    long bound = longAt(page, row, BOUND);
    return incarnation == longAt(page, row, PREDECESSOR)
        && incarnation >= rows.longAt(row, SESSION)
        && sequence >= Math.min(floor, bound)
        && sequence < Math.max(floor, bound);
  }

  long floor(int row) {
    return longAt(blocks.page(rows.intAt(row, NAME)), row, FLOOR);
  }

  private long longAt(byte[] page, int row, int field) {
    return (long) Blocks.LONG.get(page, place(page, rows.intAt(row, NAME)) + field);
  }

  private static int place(byte[] page, int nameBlock) {
    int at = Blocks.offset(nameBlock);
    return at + Integer.BYTES + (int) Blocks.INT.get(page, at);
  }

  // ---- snapshots: a view of the page, whatever row it belongs to -------------------------------

  static long floor(byte[] page, int nameBlock) {
    return (long) Blocks.LONG.get(page, place(page, nameBlock) + FLOOR);
  }

  static long predecessor(byte[] page, int nameBlock) {
    return (long) Blocks.LONG.get(page, place(page, nameBlock) + PREDECESSOR);
  }

  static long bound(byte[] page, int nameBlock) {
    return (long) Blocks.LONG.get(page, place(page, nameBlock) + BOUND);
  }
}
