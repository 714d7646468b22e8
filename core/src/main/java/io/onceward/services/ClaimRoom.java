package io.onceward.services;

import io.onceward.guard.ClaimStore;
import io.onceward.guard.GuardedId;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How much the stores of the claims service hold, in all and of each principal, and how much they
 * may.
 *
 * <p>A principal may hold as much as it leaves free for the others. So one alone gets half, two get
 * a third each, and whatever anyone does, the next one finds room.
 *
 * <p>A run that holds its lease counts with the longest reply, so that its own will fit. When the
 * lease is over, or the run said that it does not know, the request is unknown and may stay so for
 * long: it counts only for what it takes. The reply of an unknown request may use a reserve of one
 * sixteenth. Unknown requests have a share of their own ({@link ClaimDoubts}).
 */
final class ClaimRoom {
  /** About what a store takes that holds nothing. */
  static final int STORE_BYTES = 1_024;

  /** About what is kept of a principal whose stores are gone. */
  static final int PRINCIPAL_BYTES = 512;

  /** Before any date. */
  static final long NOTHING_DROPPED = -1;

  private static final int RESERVE_PART = 16;

  /** What one principal holds. */
  static final class Share {
    private int records;
    private long bytes;
    private final ClaimDoubts doubts = new ClaimDoubts();
    int stores;

    /** The greatest date that stores have dropped which are gone; new ones begin with it (K5). */
    long horizonMicros = NOTHING_DROPPED;

    /** When such stores last dropped an undated key that may have executed (O1). */
    long undatedHorizonMicros = NOTHING_DROPPED;

    /** The greatest fence of an undated key that such stores have dropped. */
    long undatedFence = NOTHING_DROPPED;

    Horizons horizons() {
      return new Horizons(horizonMicros, undatedHorizonMicros, undatedFence);
    }

    boolean hasDropped() {
      return !horizons().isNothing();
    }
  }

  /** Whose a store is, and what it is called. */
  record Name(String principal, String store) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      int order = principal.compareTo(other.principal);
      return order != 0 ? order : store.compareTo(other.store);
    }
  }

  /** A run that counts with the longest reply until its lease ends, soonest first. */
  private record Held(
      long endsAge, Name store, long place, ClaimDoubts.Origin origin, long recordBytes)
      implements Comparable<Held> {
    @Override
    public int compareTo(Held other) {
      int order = Long.compare(endsAge, other.endsAge);
      if (order == 0) {
        order = store.compareTo(other.store);
      }
      return order != 0 ? order : Long.compare(place, other.place);
    }
  }

  private final int maxRecords;
  private final long maxBytes;
  private final TreeMap<String, Share> shares = new TreeMap<>();
  private final TreeSet<Held> held = new TreeSet<>();
  private int records;
  private long bytes;

  /** The age up to which leases have ended. */
  private long age;

  ClaimRoom(int maxRecords, long maxBytes) {
    this.maxRecords = maxRecords;
    this.maxBytes = maxBytes;
  }

  /** The share of a principal, made if need be. */
  Share share(String principal) {
    return shares.computeIfAbsent(principal, name -> new Share());
  }

  int stores(String principal) {
    Share share = shares.get(principal);
    return share == null ? 0 : share.stores;
  }

  /** What a principal's stores have dropped that were given back. */
  record Horizons(long horizonMicros, long undatedHorizonMicros, long undatedFence) {
    static final Horizons NOTHING = new Horizons(NOTHING_DROPPED, NOTHING_DROPPED, NOTHING_DROPPED);

    boolean isNothing() {
      return equals(NOTHING);
    }
  }

  /** Of one principal. */
  Horizons horizons(String principal) {
    Share share = shares.get(principal);
    return share == null ? Horizons.NOTHING : share.horizons();
  }

  /** Lets a principal know what was dropped, also by stores that it makes later. */
  void raise(Share share, Horizons dropped) {
    boolean droppedBefore = share.hasDropped();
    share.horizonMicros = Math.max(share.horizonMicros, dropped.horizonMicros());
    share.undatedHorizonMicros =
        Math.max(share.undatedHorizonMicros, dropped.undatedHorizonMicros());
    share.undatedFence = Math.max(share.undatedFence, dropped.undatedFence());
    if (!droppedBefore && share.hasDropped()) {
      charge(share, 0, PRINCIPAL_BYTES);
    }
  }

  /** Of a principal that has no store and will have none. */
  void forgetHorizons(String principal) {
    Share share = shares.get(principal);
    if (share != null && share.hasDropped()) {
      share.horizonMicros = NOTHING_DROPPED;
      share.undatedHorizonMicros = NOTHING_DROPPED;
      share.undatedFence = NOTHING_DROPPED;
      charge(share, 0, -PRINCIPAL_BYTES);
      forgetIfEmpty(principal);
    }
  }

  /** Of all principals whose stores were given back. */
  TreeMap<String, Horizons> horizons() {
    TreeMap<String, Horizons> horizons = new TreeMap<>();
    shares.forEach(
        (principal, share) -> {
          if (share.hasDropped()) {
            horizons.put(principal, share.horizons());
          }
        });
    return horizons;
  }

  /** Nothing stays of a principal that has no store and dropped nothing. */
  void forgetIfEmpty(String principal) {
    Share share = share(principal);
    if (share.stores == 0 && !share.hasDropped()) {
      shares.remove(principal);
    }
  }

  boolean holdsRecords() {
    return records > 0;
  }

  long bytes() {
    return bytes;
  }

  // ---- runs -----------------------------------------------------------------------------------

  /** Lets leases end that are over at this age; what was held for their replies is free then. */
  void endLeases(long newAge) {
    age = newAge;
    while (!held.isEmpty() && held.first().endsAge() <= age) {
      Held over = held.pollFirst();
      Share share = share(over.store().principal());
      charge(share, 0, -ServiceLimits.CLAIM_REPLY_BYTES);
      share.doubts.enter(over.origin(), over.recordBytes());
    }
  }

  /** Whether room for the longest reply is held for this record. */
  boolean isHeld(ClaimRecord record) {
    return record.state() == ClaimRecord.State.STARTED && record.leaseEndsAge() > age;
  }

  /** What a record counts for. */
  long bytes(GuardedId id, ClaimRecord record) {
    return record.bytes(id) + (isHeld(record) ? ServiceLimits.CLAIM_REPLY_BYTES : 0);
  }

  void enter(Name store, Share share, GuardedId id, ClaimRecord record) {
    charge(share, 1, bytes(id, record));
    if (isHeld(record)) {
      held.add(held(store, id, record));
    } else if (record.isOpen()) {
      share.doubts.enter(ClaimDoubts.Origin.of(id, record.operation()), record.bytes(id));
    }
  }

  private static Held held(Name store, GuardedId id, ClaimRecord record) {
    ClaimDoubts.Origin origin = ClaimDoubts.Origin.of(id, record.operation());
    return new Held(record.leaseEndsAge(), store, record.place(), origin, record.bytes(id));
  }

  void leave(Name store, Share share, GuardedId id, ClaimRecord record) {
    charge(share, -1, -bytes(id, record));
    if (isHeld(record)) {
      held.remove(held(store, id, record));
    } else if (record.isOpen()) {
      share.doubts.leave(ClaimDoubts.Origin.of(id, record.operation()), record.bytes(id));
    }
  }

  // ---- limits ---------------------------------------------------------------------------------

  void charge(Share share, int moreRecords, long moreBytes) {
    records += moreRecords;
    bytes += moreBytes;
    share.records += moreRecords;
    share.bytes += moreBytes;
  }

  /** Names the limit that so much more of this principal would pass, or nothing. */
  String obstacle(Share share, int moreRecords, long moreBytes) {
    if (moreRecords > 0 && share.records + moreRecords > maxRecords - records - moreRecords) {
      return "CLAIMS";
    }
    return moreBytes > 0 && share.bytes + moreBytes > maxBytes - bytes - moreBytes
        ? "CLAIMS_BYTES"
        : "";
  }

  /** The same for one that starts, where unknown requests have taken their share. */
  String obstacleToStarting(Share share, GuardedId id, String operation) {
    // As much as it holds and half of what is free: then it leaves as much as it has.
    long mostRecords = share.records + (maxRecords - (long) records - share.records) / 2;
    long mostBytes = share.bytes + (maxBytes - bytes - share.bytes) / 2;
    ClaimDoubts.Origin origin = ClaimDoubts.Origin.of(id, operation);
    return share.doubts.areTooMany(origin, mostRecords, mostBytes)
        ? ClaimStore.UNKNOWN_REQUESTS
        : "";
  }

  /** The same for word of a request that is known, which may use the reserve. */
  String obstacleToDeciding(long moreBytes) {
    return moreBytes > 0 && bytes + moreBytes > maxBytes + maxBytes / RESERVE_PART
        ? "CLAIMS_BYTES"
        : "";
  }
}
