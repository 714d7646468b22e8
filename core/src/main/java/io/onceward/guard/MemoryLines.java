package io.onceward.guard;

import io.onceward.guard.MemoryRecord.Line;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records by how long something of theirs lasts, a lease or a retention: among those that last
 * equally long, the one that came first is due first, and nothing has to be sorted.
 */
final class MemoryLines {
  private final Map<Long, Line> lines = new HashMap<>();
  private long usualMillis = -1;
  private Line usual = new Line();

  void append(long millis, MemoryRecord record) {
    line(millis).append(record);
  }

  void remove(long millis, MemoryRecord record) {
    Line line = line(millis);
    line.remove(record);
    if (line.first() == null && lines.size() > 1) {
      lines.remove(millis);
      usualMillis = -1;
    }
  }

  /** The record that is due first. */
  @Nullable MemoryRecord first() {
    MemoryRecord due = null;
    for (Line line : lines.values()) {
      MemoryRecord first = line.first();
      if (first != null && (due == null || first.endsNanos - due.endsNanos < 0)) {
        due = first;
      }
    }
    return due;
  }

  private Line line(long millis) {
    if (millis != usualMillis) {
      usual = lines.computeIfAbsent(millis, any -> new Line());
      usualMillis = millis;
    }
    return usual;
  }
}
