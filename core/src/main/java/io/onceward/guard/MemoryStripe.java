package io.onceward.guard;

import io.onceward.guard.MemoryRecord.Line;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every so many-th record of a {@link MemoryStore}, in the order in which something is due. Whoever
 * changes a record holds the lock of its stripe, so that threads with different requests seldom
 * meet.
 */
final class MemoryStripe {
  /** Started and unknown ones, the one that was started first in front. */
  private final Line open = new Line();

  /**
   * Decided and released ones by their retention: within one retention, who was decided first is
   * due first, and nothing has to be sorted.
   */
  private final Map<Long, Line> closed = new HashMap<>();

  private long usualRetention = -1;
  private Line usual = new Line();

  void open(MemoryRecord record) {
    open.append(record);
  }

  void reopen(MemoryRecord record) {
    closed(record.terms.retentionMillis()).remove(record);
    open.append(record);
  }

  void close(MemoryRecord record) {
    open.remove(record);
    closed(record.terms.retentionMillis()).append(record);
  }

  void drop(MemoryRecord record) {
    Line line = closed(record.terms.retentionMillis());
    line.remove(record);
    if (line.first() == null && closed.size() > 1) {
      closed.remove(record.terms.retentionMillis());
      usualRetention = -1;
    }
  }

  @Nullable MemoryRecord firstOpen() {
    return open.first();
  }

  /** The closed record whose retention ends first. */
  @Nullable MemoryRecord firstDue() {
    MemoryRecord due = null;
    for (Line line : closed.values()) {
      MemoryRecord first = line.first();
      if (first != null && (due == null || first.endsNanos - due.endsNanos < 0)) {
        due = first;
      }
    }
    return due;
  }

  private Line closed(long retentionMillis) {
    if (retentionMillis != usualRetention) {
      usual = closed.computeIfAbsent(retentionMillis, any -> new Line());
      usualRetention = retentionMillis;
    }
    return usual;
  }
}
