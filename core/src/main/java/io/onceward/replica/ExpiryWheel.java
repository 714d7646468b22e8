package io.onceward.replica;

import static io.onceward.replica.SessionRow.WHEEL_NEXT;
import static io.onceward.replica.SessionRow.WHEEL_PREVIOUS;

import java.util.Arrays;

/**
 * Tells which sessions to look at when age grows, without scanning all of them (S7).
 *
 * <p>A session stands in the bucket of the quantum in which it is next looked at. A request does
 * not move it: that would cost every request two more cache misses. It is looked at when its bucket
 * comes up, and then either expires or moves on. Sessions that are due later than the wheel reaches
 * are looked at once per turn.
 *
 * <p>When a session expires depends on age and its last activity alone, never on where it stands.
 */
final class ExpiryWheel {
  /** Age is looked at in steps of 1,024 ms. */
  static final int QUANTUM_BITS = 10;

  private static final int BUCKETS = 512;
  private static final int REACH = BUCKETS - 2;

  private final Rows rows;
  private final int[] heads = new int[BUCKETS];

  /** The first quantum whose bucket was not drained. */
  private long current;

  /** Whether the bucket before the current one holds rows again. */
  private boolean overdue;

  ExpiryWheel(Rows rows) {
    this.rows = rows;
  }

  static long quantum(long ageMillis) {
    return ageMillis >> QUANTUM_BITS;
  }

  /** Empties the wheel; rows are placed again by their owner. */
  void restart(long ageMillis) {
    Arrays.fill(heads, 0);
    current = quantum(ageMillis);
  }

  /** Places a row that is due after this quantum has passed. */
  void place(int row, long dueQuantum) {
    if (dueQuantum < current) {
      // Overdue, because a timeout was lowered: the next entry must find it.
      link(row, bucket(current - 1));
      overdue = true;
      return;
    }
    link(row, bucket(Math.min(dueQuantum, current + REACH)));
  }

  /** The chain of rows to look at now, or 0; to be called until it gives 0. */
  int due(long ageMillis) {
    if (overdue) {
      overdue = false;
      int chain = take(bucket(current - 1));
      if (chain != 0) {
        return chain;
      }
    }
    long now = quantum(ageMillis);
    while (current < now) {
      int chain = take(bucket(current++));
      if (chain != 0) {
        return chain;
      }
    }
    return 0;
  }

  /** The row after this one in a chain that {@link #due} gave. */
  int next(int row) {
    return rows.intAt(row, WHEEL_NEXT);
  }

  void remove(int row) {
    int next = rows.intAt(row, WHEEL_NEXT);
    int previous = rows.intAt(row, WHEEL_PREVIOUS);
    if (previous < 0) {
      heads[-previous - 1] = next;
    } else {
      rows.setInt(previous, WHEEL_NEXT, next);
    }
    if (next != 0) {
      rows.setInt(next, WHEEL_PREVIOUS, previous);
    }
  }

  /** The row stands elsewhere now; its links were copied. */
  void moved(int row) {
    int next = rows.intAt(row, WHEEL_NEXT);
    int previous = rows.intAt(row, WHEEL_PREVIOUS);
    if (previous < 0) {
      heads[-previous - 1] = row;
    } else {
      rows.setInt(previous, WHEEL_NEXT, row);
    }
    if (next != 0) {
      rows.setInt(next, WHEEL_PREVIOUS, row);
    }
  }

  private int take(int bucket) {
    int chain = heads[bucket];
    heads[bucket] = 0;
    return chain;
  }

  private void link(int row, int bucket) {
    int next = heads[bucket];
    rows.setInt(row, WHEEL_NEXT, next);
    rows.setInt(row, WHEEL_PREVIOUS, -bucket - 1);
    if (next != 0) {
      rows.setInt(next, WHEEL_PREVIOUS, row);
    }
    heads[bucket] = row;
  }

  private static int bucket(long quantum) {
    return (int) quantum & (BUCKETS - 1);
  }
}
