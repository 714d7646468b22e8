package io.onceward.guard;

import java.util.concurrent.atomic.AtomicLong;

/** What the records of a {@link MemoryStore} take, and may take. */
final class MemoryRoom {
  private final int maxEntries;
  private final long maxBytes;
  private final int maxReplyBytes;
  private final AtomicLong entries = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  MemoryRoom(int maxEntries, long maxBytes, int maxReplyBytes) {
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
    this.maxReplyBytes = maxReplyBytes;
  }

  long entries() {
    return entries.get();
  }

  long bytes() {
    return bytes.get();
  }

  /** Whether there is room for one more record. */
  boolean enter() {
    if (entries.incrementAndGet() <= maxEntries) {
      return true;
    }
    entries.decrementAndGet();
    return false;
  }

  /** Takes back {@link #enter}. */
  void leave() {
    entries.decrementAndGet();
  }

  /** Charges what a record costs beside its reply, and the longest reply; or nothing more. */
  boolean reserve(MemoryRecord record, long ownBytes) {
    return chargeWithin(record, ownBytes + maxReplyBytes);
  }

  /** Charges this if it keeps within the limit; or nothing more. */
  boolean chargeWithin(MemoryRecord record, long bytesOfRecord) {
    long before = record.chargedBytes;
    charge(record, bytesOfRecord);
    if (bytes.get() <= maxBytes) {
      return true;
    }
    charge(record, before);
    return false;
  }

  void charge(MemoryRecord record, long now) {
    bytes.addAndGet(now - record.chargedBytes);
    record.chargedBytes = now;
  }

  /**
   * For what comes although no room was reserved for it: it may pass the limit by an eighth.
   *
   * @throws StoreUnavailableException if there is no room
   */
  void requireForLateReply(long more) {
    if (more > 0 && bytes.get() + more > maxBytes + maxBytes / 8) {
      throw new StoreUnavailableException(
          "the memory store has no room for a late reply; its limit is maxBytes", null);
    }
  }
}
