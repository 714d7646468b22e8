package io.onceward.guard;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the unknown requests of a {@link MemoryStore} take, in all and by principal. They are never
 * dropped, and anybody who can make effects fail can make more of them; so when they take half of
 * the store, those who have most of them are refused new requests, and the others go on (G1).
 */
final class MemoryDoubts {
  private final long maxEntries;
  private final long maxBytes;
  private final AtomicLong entries = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final ConcurrentHashMap<String, Long> byPrincipal = new ConcurrentHashMap<>();

  MemoryDoubts(long maxEntries, long maxBytes) {
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
  }

  void enter(MemoryRecord record) {
    entries.incrementAndGet();
    bytes.addAndGet(record.chargedBytes);
    byPrincipal.merge(record.id.principal(), record.chargedBytes, Long::sum);
  }

  void leave(MemoryRecord record) {
    entries.decrementAndGet();
    bytes.addAndGet(-record.chargedBytes);
    byPrincipal.computeIfPresent(
        record.id.principal(),
        (principal, taken) ->
            taken == record.chargedBytes ? null : Long.valueOf(taken - record.chargedBytes));
  }

  /** Whether the share is used up, and this principal has at least an average part of it. */
  boolean areTooMany(String principal) {
    long all = bytes.get();
    if (entries.get() < maxEntries && all < maxBytes) {
      return false;
    }
    Long own = byPrincipal.get(principal);
    return own != null && own >= all / Math.max(1, byPrincipal.size());
  }
}
