package io.onceward.services;

import io.onceward.guard.GuardedId;
import java.util.TreeMap;

/**
 * What the unknown requests in the stores of one principal take, in all and by where they come
 * from: the guarded principal, and the operation in a scope. They are never dropped, so when they
 * take half of what the principal may hold, those that have most of them are refused new requests,
 * and the others go on (G1). The same rule as in a store in memory.
 */
final class ClaimDoubts {
  /** Where a request comes from. */
  record Origin(String principal, String scope, String operation) implements Comparable<Origin> {
    static Origin of(GuardedId id, String operation) {
      return new Origin(id.principal(), id.scope().name(), operation);
    }

    @Override
    public int compareTo(Origin other) {
      int order = principal.compareTo(other.principal);
      if (order == 0) {
        order = scope.compareTo(other.scope);
      }
      return order != 0 ? order : operation.compareTo(other.operation);
    }
  }

  /** What those of one guarded principal take. */
  private static final class Taken {
    private long bytes;
    private final TreeMap<Origin, Long> byOrigin = new TreeMap<>();
  }

  private final TreeMap<String, Taken> byPrincipal = new TreeMap<>();
  private long records;
  private long bytes;

  void enter(Origin origin, long recordBytes) {
    records++;
    bytes += recordBytes;
    Taken taken = byPrincipal.computeIfAbsent(origin.principal(), name -> new Taken());
    taken.bytes += recordBytes;
    taken.byOrigin.merge(origin, recordBytes, Long::sum);
  }

  void leave(Origin origin, long recordBytes) {
    Taken taken = byPrincipal.get(origin.principal());
    if (taken == null) {
      throw new IllegalStateException("nothing is unknown that comes from " + origin);
    }
    records--;
    bytes -= recordBytes;
    taken.bytes -= recordBytes;
    taken.byOrigin.computeIfPresent(
        origin, (same, own) -> own == recordBytes ? null : Long.valueOf(own - recordBytes));
    if (taken.byOrigin.isEmpty()) {
      byPrincipal.remove(origin.principal());
    }
  }

  /**
   * Whether their share is used up, and this is where most of them come from.
   *
   * @param mostRecords what the owner of the stores may hold
   * @param mostBytes the same in bytes
   */
  boolean areTooMany(Origin origin, long mostRecords, long mostBytes) {
    if (records < mostRecords / 2 && bytes < mostBytes / 2) {
      return false;
    }
    Taken own = byPrincipal.get(origin.principal());
    if (own == null || own.bytes < bytes / byPrincipal.size()) {
      return false;
    }
    if (records >= mostRecords / 4 * 3 || bytes >= mostBytes / 4 * 3) {
      return true;
    }
    Long here = own.byOrigin.get(origin);
    return here != null && here >= own.bytes / own.byOrigin.size();
  }
}
