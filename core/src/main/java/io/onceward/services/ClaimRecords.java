package io.onceward.services;

import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.guard.GuardedId;
import io.onceward.replica.Limits;
import io.onceward.services.ClaimRecord.State;
import io.onceward.services.ClaimTable.Now;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The records of one store of the claims service: by id, by place, by when they may be dropped; and
 * the dates of those that were. Whatever is put or dropped is charged to the principal's share.
 *
 * <p>Places are given in the order of starts, and neither log time nor age ever goes back, so the
 * records in the order of their places are in the order of their starts too, by both.
 */
final class ClaimRecords {
  private static final int BLOCK_BITS = 10;

  /** When a decided record may be dropped, soonest first. */
  private record Due(long age, long place, GuardedId id) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int order = Long.compare(age, other.age);
      return order != 0 ? order : Long.compare(place, other.place);
    }
  }

  private final ClaimRoom room;
  private final ClaimRoom.Name name;
  private final ClaimRoom.Share share;
  private final FreezableMap<GuardedId, ClaimRecord> records = new FreezableMap<>();

  /** Those that are open and those that are not, by place; all of it follows from the records. */
  private final TreeMap<Long, GuardedId> open = new TreeMap<>();

  private final TreeMap<Long, GuardedId> closed = new TreeMap<>();

  /**
   * How many are closed in each block of places. Counting those in front of a place would else look
   * at each of them, and whoever asks holds up everybody.
   */
  private final TreeMap<Long, Integer> closedInBlock = new TreeMap<>();

  private final TreeSet<Due> due = new TreeSet<>();

  private long lastPlace;

  /** The greatest date of a dated key that was dropped (K5). */
  private long horizonMicros;

  /** When an undated key was last dropped that may have executed (O1). */
  private long undatedHorizonMicros;

  /** The greatest fence of an undated key that was dropped. */
  private long undatedFence;

  ClaimRecords(ClaimRoom room, ClaimRoom.Name name, ClaimRoom.Share share) {
    this.room = room;
    this.name = name;
    this.share = share;
    this.horizonMicros = share.horizonMicros;
    this.undatedHorizonMicros = share.undatedHorizonMicros;
    this.undatedFence = share.undatedFence;
  }

  boolean isEmpty() {
    return records.size() == 0;
  }

  @Nullable ClaimRecord get(GuardedId id) {
    return records.get(id);
  }

  /** Where the next request that starts would stand. */
  long nextPlace() {
    return lastPlace + 1;
  }

  /**
   * The fence of a first run: by two greater than that of any run which somebody may still be
   * about. A dated key that was dropped never starts again.
   */
  long firstFence(Key key) {
    return key.isDated() ? 1 : undatedFence + 2;
  }

  /** Those that are open, behind a place, in the order in which they were started. */
  SortedMap<Long, GuardedId> openAfter(long place) {
    return open.tailMap(place, false);
  }

  /** Enters a record, or replaces the one of this id. */
  void put(GuardedId id, ClaimRecord record) {
    ClaimRecord before = records.put(id, record);
    if (before != null) {
      leave(id, before);
    }
    enter(id, record);
    lastPlace = Math.max(lastPlace, record.place());
  }

  private void enter(GuardedId id, ClaimRecord record) {
    room.enter(name, share, id, record);
    if (record.isOpen()) {
      open.put(record.place(), id);
    } else {
      closed.put(record.place(), id);
      closedInBlock.merge(block(record.place()), 1, Integer::sum);
      due.add(new Due(record.dueAge(), record.place(), id));
    }
  }

  private void leave(GuardedId id, ClaimRecord record) {
    room.leave(name, share, id, record);
    if (record.isOpen()) {
      open.remove(record.place());
    } else {
      closed.remove(record.place());
      closedInBlock.computeIfPresent(
          block(record.place()), (block, count) -> count == 1 ? null : Integer.valueOf(count - 1));
      due.remove(new Due(record.dueAge(), record.place(), id));
    }
  }

  private static long block(long place) {
    return place >> BLOCK_BITS;
  }

  // ---- dropping -------------------------------------------------------------------------------

  /** Drops what is past its retention, what was due first in front. */
  int sweep(int atMost, Now now) {
    int dropped = 0;
    while (dropped < atMost && !due.isEmpty() && due.first().age() <= now.age()) {
      drop(due.first().id(), now);
      dropped++;
    }
    return dropped;
  }

  /** Up to where requests are counted or dropped: a moment of log time, or an age (K4). */
  record Bound(boolean byAge, long millis) {
    static Bound ofTime(long millis) {
      return new Bound(false, millis);
    }

    static Bound ofAge(long millis) {
      return new Bound(true, millis);
    }

    boolean isAfterStartOf(ClaimRecord record) {
      return (byAge ? record.startedAge() : record.startedMillis()) < millis;
    }
  }

  /** How many are not open and were started before this. */
  long countStartedBefore(Bound bound) {
    long end = firstPlaceNotBefore(bound);
    long count = closed.subMap(block(end) << BLOCK_BITS, end).size();
    for (int inBlock : closedInBlock.headMap(block(end)).values()) {
      count += inBlock;
    }
    return count;
  }

  /** Places are in the order of starts, so what counts stands in front of all that does not. */
  private long firstPlaceNotBefore(Bound bound) {
    long counts = 0;
    long end = lastPlace + 1;
    while (counts + 1 < end) {
      long middle = (counts + end) >>> 1;
      Map.Entry<Long, GuardedId> last = closed.floorEntry(middle);
      if (last == null || last.getKey() <= counts || wasStartedBefore(last.getValue(), bound)) {
        counts = middle;
      } else {
        end = last.getKey();
      }
    }
    return end;
  }

  /** Drops them, whatever their retention, what was started first in front (K4). */
  int forgetStartedBefore(Bound bound, int atMost, Now now) {
    int dropped = 0;
    while (dropped < atMost
        && !closed.isEmpty()
        && wasStartedBefore(closed.firstEntry().getValue(), bound)) {
      drop(closed.firstEntry().getValue(), now);
      dropped++;
    }
    return dropped;
  }

  private boolean wasStartedBefore(GuardedId id, Bound bound) {
    ClaimRecord record = records.get(id);
    return record != null && bound.isAfterStartOf(record);
  }

  /** The horizon first: an id without a record is always judged by what was dropped (K5). */
  private void drop(GuardedId id, Now now) {
    ClaimRecord dropped = records.get(id);
    if (dropped == null || dropped.isOpen()) {
      throw new IllegalStateException("only what is decided is dropped, not " + id);
    }
    if (id.key().isDated()) {
      horizonMicros = Math.max(horizonMicros, id.key().dateMicros());
    } else {
      undatedFence = Math.max(undatedFence, dropped.fence());
      if (dropped.state() != State.RELEASED) {
        undatedHorizonMicros =
            Math.max(undatedHorizonMicros, TimeUnit.MILLISECONDS.toMicros(now.millis()));
      }
    }
    records.remove(id);
    leave(id, dropped);
  }

  // ---- horizons -------------------------------------------------------------------------------

  /** What was dropped here, or in stores of this principal that are gone. */
  ClaimRoom.Horizons horizons() {
    return new ClaimRoom.Horizons(horizonMicros, undatedHorizonMicros, undatedFence);
  }

  boolean isForgotten(Key key) {
    return key.isDated() && key.dateMicros() <= horizonMicros;
  }

  /** Whether nothing is lost if it is forgotten that there was ever a record. */
  boolean isBlank() {
    return isEmpty()
        && horizonMicros <= share.horizonMicros
        && undatedHorizonMicros <= share.undatedHorizonMicros
        && undatedFence <= share.undatedFence;
  }

  /** What was dropped here, the principal knows from here on, and every store that it makes. */
  void foldHorizon() {
    room.raise(share, horizons());
  }

  /** Takes over what was dropped elsewhere. */
  void raise(ClaimRoom.Horizons dropped) {
    horizonMicros = Math.max(horizonMicros, dropped.horizonMicros());
    undatedHorizonMicros = Math.max(undatedHorizonMicros, dropped.undatedHorizonMicros());
    undatedFence = Math.max(undatedFence, dropped.undatedFence());
  }

  // ---- snapshots ------------------------------------------------------------------------------

  ClaimTable.Image freeze() {
    FreezableMap.View<GuardedId, ClaimRecord> frozen = records.freeze();
    long place = lastPlace;
    long horizon = horizonMicros;
    long undatedHorizon = undatedHorizonMicros;
    long fence = undatedFence;
    return out -> {
      out.i64(place);
      out.i64(horizon);
      out.i64(undatedHorizon);
      out.i64(fence);
      out.i64(frozen.size());
      frozen.<IOException>forEach(
          (id, record) -> {
            out.utf8(id.principal());
            out.utf8(id.scope().name());
            out.i64(id.key().kind().code());
            out.i64(id.key().high());
            out.i64(id.key().low());
            record.writeTo(out);
            return true;
          });
    };
  }

  /** Into an empty table. */
  void restore(StateInput in) throws IOException {
    lastPlace = in.i64();
    horizonMicros = in.i64();
    undatedHorizonMicros = in.i64();
    undatedFence = in.i64();
    long count = in.i64();
    for (long i = 0; i < count; i++) {
      GuardedId id = id(in);
      ClaimRecord record = ClaimRecord.readFrom(in);
      if (records.put(id, record) != null) {
        throw new IOException("the state of the claims service has an id twice");
      }
      enter(id, record);
    }
  }

  private static GuardedId id(StateInput in) throws IOException {
    String principal = in.utf8(GuardedId.MAX_PRINCIPAL_BYTES);
    String scope = in.utf8(Limits.SCOPE_BYTES);
    long kind = in.number("key kind", Key.Kind.values().length - 1);
    try {
      Key key = Key.of(Key.Kind.ofCode((int) kind), in.i64(), in.i64());
      return new GuardedId(principal, new Scope(scope), key);
    } catch (IllegalArgumentException e) {
      throw new IOException("the state of the claims service has an id that is none", e);
    }
  }
}
