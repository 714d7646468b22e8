package io.onceward.testkit.world;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node keeps through a crash: its term, its log, and its last snapshot. Whatever is written
 * is there; a node acknowledges nothing before.
 */
final class Disk {
  /**
   * One place in the log.
   *
   * @param bytes null for an entry that is the engine's own business
   */
  record Logged(long term, byte @Nullable [] bytes) {}

  /** A state up to and including a position. */
  record Snapshot(long position, long term, byte[] bytes) {}

  private final List<Logged> entries = new ArrayList<>();
  private long first = 1;
  private long term;
  private @Nullable Snapshot snapshot;

  long term() {
    return term;
  }

  void promise(long newTerm) {
    if (newTerm < term) {
      throw new IllegalStateException("term " + newTerm + " after " + term);
    }
    term = newTerm;
  }

  @Nullable Snapshot snapshot() {
    return snapshot;
  }

  /** The position of the last entry, or of the snapshot if there is none after it. */
  long last() {
    return first + entries.size() - 1;
  }

  /** The first position whose entry is still here. */
  long first() {
    return first;
  }

  boolean has(long position) {
    return position >= first && position <= last();
  }

  Logged at(long position) {
    return entries.get((int) (position - first));
  }

  /** The term of the entry at a position; -1 if that is not known any more, or not yet. */
  long termAt(long position) {
    if (position == 0) {
      return 0;
    }
    if (has(position)) {
      return at(position).term();
    }
    return snapshot != null && snapshot.position() == position ? snapshot.term() : -1;
  }

  void append(Logged entry) {
    entries.add(entry);
  }

  void truncateFrom(long position) {
    while (last() >= position) {
      entries.remove(entries.size() - 1);
    }
  }

  /** Writes a snapshot of an entry in this log and drops entries up to the given position. */
  void save(Snapshot newer, long purgeTo) {
    snapshot = newer;
    int dropped = (int) Math.max(0, Math.min(purgeTo, newer.position()) - first + 1);
    entries.subList(0, dropped).clear();
    first += dropped;
  }

  /** Somebody cleared the folder. */
  void clear() {
    entries.clear();
    first = 1;
    term = 0;
    snapshot = null;
  }

  /** Takes a snapshot from elsewhere; what follows it in this log stays only if it matches. */
  void install(Snapshot from) {
    if (termAt(from.position()) == from.term() && has(from.position())) {
      save(from, from.position());
      return;
    }
    entries.clear();
    first = from.position() + 1;
    snapshot = from;
  }
}
