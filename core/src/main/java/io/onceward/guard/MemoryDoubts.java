package io.onceward.guard;

import io.onceward.Scope;
import java.util.HashMap;
import java.util.Map;

/**
 * What the unknown requests of a {@link MemoryStore} take, in all and by where they come from. They
 * are never dropped, and anybody who can make effects fail can make more of them; so when they take
 * half of the store, those who have most of them are refused new requests, and the others go on
 * (G1).
 *
 * <p>First an operation in a scope of a principal, so that one endpoint that fails does not shut
 * the others; from three quarters on the whole principal, so that one with many scopes does not
 * shut the other principals.
 */
final class MemoryDoubts {
  /** Where requests come from. */
  private record Origin(Scope scope, String operation) {}

  /** What those of one principal take. */
  private static final class Taken {
    private long bytes;
    private final Map<Origin, Long> byOrigin = new HashMap<>();
  }

  private final long maxEntries;
  private final long maxBytes;
  private final Map<String, Taken> byPrincipal = new HashMap<>();
  private long entries;
  private long bytes;

  /** Read without the lock, which every claim would need otherwise. */
  private volatile double share;

  MemoryDoubts(long maxEntries, long maxBytes) {
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
  }

  synchronized void enter(MemoryRecord record) {
    Taken taken = byPrincipal.computeIfAbsent(record.id.principal(), name -> new Taken());
    taken.bytes += record.chargedBytes;
    taken.byOrigin.merge(origin(record), record.chargedBytes, Long::sum);
    count(1, record.chargedBytes);
  }

  synchronized void leave(MemoryRecord record) {
    Taken taken = byPrincipal.get(record.id.principal());
    if (taken == null) {
      throw new IllegalStateException("nothing of this principal is unknown: " + record.id);
    }
    taken.bytes -= record.chargedBytes;
    taken.byOrigin.computeIfPresent(
        origin(record),
        (origin, own) ->
            own == record.chargedBytes ? null : Long.valueOf(own - record.chargedBytes));
    if (taken.byOrigin.isEmpty()) {
      byPrincipal.remove(record.id.principal());
    }
    count(-1, -record.chargedBytes);
  }

  private void count(int moreEntries, long moreBytes) {
    entries += moreEntries;
    bytes += moreBytes;
    share = 2 * Math.max((double) entries / maxEntries, (double) bytes / maxBytes);
  }

  private static Origin origin(MemoryRecord record) {
    return new Origin(record.id.scope(), record.operation);
  }

  /** How much of their half of the store is taken; 1 if all of it is, 2 if they fill the store. */
  double share() {
    return share;
  }

  /** Whether their half is used up, and this request comes from where most of them come from. */
  boolean areTooMany(Ask ask) {
    return share >= 1 && haveMost(ask);
  }

  private synchronized boolean haveMost(Ask ask) {
    Taken own = byPrincipal.get(ask.id().principal());
    if (own == null || own.bytes < bytes / byPrincipal.size()) {
      return false;
    }
    Long here = own.byOrigin.get(new Origin(ask.id().scope(), ask.operation()));
    return share >= 1.5 || here != null && here >= own.bytes / own.byOrigin.size();
  }
}
