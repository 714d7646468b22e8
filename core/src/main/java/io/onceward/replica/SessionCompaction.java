package io.onceward.replica;

import static io.onceward.replica.SessionRow.DECIDED_END;
import static io.onceward.replica.SessionRow.INCARNATION;

import java.util.Arrays;

/**
 * Keeps the memory that sessions hold within a small factor of what they take (K6): when their
 * pages have become sparse, it moves sessions together, some at each entry, so that no entry waits
 * for long. Where a session stands decides nothing.
 */
final class SessionCompaction {
  /** Sessions and sequences that are looked at per entry. */
  private static final int STEPS_PER_ENTRY = 4_096;

  private static final int[] NONE = {};

  private final SessionStore store;
  private final Blocks rowBlocks;
  private final Blocks blocks;

  /** The sessions of the round that is under way, and how many of them are done. */
  private int[] round = NONE;

  private int done;

  SessionCompaction(SessionStore store, Blocks rowBlocks, Blocks blocks) {
    this.store = store;
    this.rowBlocks = rowBlocks;
    this.blocks = blocks;
  }

  /** To be called between entries. */
  void step() {
    if (done == round.length) {
      if (!rowBlocks.isWasteful() && !blocks.isWasteful()) {
        return;
      }
      begin();
    }
    for (int left = STEPS_PER_ENTRY; left > 0 && done < round.length; done++, left--) {
      int row = round[done];
      // Sessions may have gone since, and others come in their place: these lie well already.
      if (rowBlocks.isPresent(row) && store.rows.longAt(row, INCARNATION) != 0) {
        left -= store.rows.intAt(row, DECIDED_END);
        store.settle(row);
      }
    }
    if (done == round.length) {
      round = NONE;
      done = 0;
    }
  }

  private void begin() {
    int[] found = new int[store.size()];
    int[] count = {0};
    rowBlocks
        .view()
        .eachPlace(
            SessionRow.BYTES,
            row -> {
              if (store.rows.longAt(row, INCARNATION) != 0) {
                found[count[0]++] = row;
              }
            });
    round = Arrays.copyOf(found, count[0]);
    done = 0;
    rowBlocks.leaveSparsePages();
    blocks.leaveSparsePages();
  }
}
