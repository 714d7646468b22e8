package io.onceward.guard;

import io.onceward.guard.MemoryRecord.Line;
import org.jspecify.annotations.Nullable;

/**
 * Every so many-th record of a {@link MemoryStore}, in the order in which something is due. Whoever
 * changes a record holds the lock of its stripe, so that threads with different requests seldom
 * meet.
 */
final class MemoryStripe {
  /** By the end of their leases. */
  private final MemoryLines started = new MemoryLines();

  /** In the order in which they became unknown. */
  private final Line unknown = new Line();

  /** All others, by the end of their retention. */
  private final MemoryLines closed = new MemoryLines();

  /**
   * Puts the record where its state says; it stood nowhere, or was taken out with its old state.
   */
  void put(MemoryRecord record) {
    switch (record.state) {
      case STARTED -> started.append(record.terms.leaseMillis(), record);
      case UNKNOWN -> unknown.append(record);
      case DONE, RELEASED, ACKNOWLEDGED, ABANDONED ->
          closed.append(record.terms.retentionMillis(), record);
    }
  }

  /** Takes the record out, before its state or its terms change. */
  void take(MemoryRecord record) {
    switch (record.state) {
      case STARTED -> started.remove(record.terms.leaseMillis(), record);
      case UNKNOWN -> unknown.remove(record);
      case DONE, RELEASED, ACKNOWLEDGED, ABANDONED ->
          closed.remove(record.terms.retentionMillis(), record);
    }
  }

  @Nullable MemoryRecord firstUnknown() {
    return unknown.first();
  }

  /** The started record whose lease ends first. */
  @Nullable MemoryRecord firstToLapse() {
    return started.first();
  }

  /** The closed record whose retention ends first. */
  @Nullable MemoryRecord firstDue() {
    return closed.first();
  }
}
