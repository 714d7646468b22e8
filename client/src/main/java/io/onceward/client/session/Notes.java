package io.onceward.client.session;

import org.jspecify.annotations.Nullable;

/** A session's side of its journal: what was written, what is on disk, when to sync. */
final class Notes {
  /** A decision may wait this long for others before the journal is synced on its account alone. */
  private static final long DECISION_SYNC_MILLIS = 20;

  private final @Nullable Journal journal;
  private final JournalState kept;
  private final Copies copies;
  private boolean isTorn;
  private long syncedMark;
  private long decidedMark;
  private long syncAtMillis = Long.MAX_VALUE;

  Notes(@Nullable Journal journal, JournalState kept, Copies copies) {
    this.journal = journal;
    this.kept = kept;
    this.copies = copies;
  }

  /** Whether there is a journal at all; without one, everything counts as being on disk. */
  boolean isKept() {
    return journal != null;
  }

  JournalState state() {
    return kept;
  }

  long syncedMark() {
    return syncedMark;
  }

  long write(JournalRecord record) {
    if (journal == null) {
      return 0;
    }
    // What the journal did not take, the session must not believe to be in it (C5).
    long mark = journal.append(record);
    isTorn = true;
    kept.apply(record);
    isTorn = false;
    return mark;
  }

  /**
   * Whether the journal took a record that this session could not, for want of memory say: then
   * they tell different stories, and only the journal's is true.
   */
  boolean isTorn() {
    return isTorn;
  }

  void sync(long nowMillis) {
    if (journal == null) {
      return;
    }
    try {
      journal.sync();
    } catch (RuntimeException | Error e) {
      // It could not begin, for want of a thread, say. Nothing may wait for ever for that.
      syncAtMillis = nowMillis + DECISION_SYNC_MILLIS;
      copies.wakeBy(syncAtMillis);
    }
  }

  /**
   * A record of which nothing is sent: it goes to disk with the next request, or soon.
   *
   * @param waitedFor whether somebody cannot go on without it
   */
  void decided(long mark, boolean waitedFor, long nowMillis) {
    if (journal == null) {
      return;
    }
    decidedMark = mark;
    if (waitedFor) {
      sync(nowMillis);
    } else if (syncAtMillis == Long.MAX_VALUE) {
      syncAtMillis = nowMillis + DECISION_SYNC_MILLIS;
      copies.wakeBy(syncAtMillis);
    }
  }

  /** Sees to it that all decisions get to disk now. */
  void hurry(long nowMillis) {
    if (decidedMark > syncedMark) {
      sync(nowMillis);
    }
  }

  void synced(long mark) {
    syncedMark = Math.max(syncedMark, mark);
    if (decidedMark <= syncedMark) {
      syncAtMillis = Long.MAX_VALUE;
    }
  }

  void tick(long nowMillis) {
    if (syncAtMillis <= nowMillis) {
      syncAtMillis = Long.MAX_VALUE;
      sync(nowMillis);
    }
    copies.wakeBy(syncAtMillis);
  }
}
