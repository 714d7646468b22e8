package io.onceward.guard;

import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.guard.MemoryRecord.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The records of a {@link MemoryStore}: by id and by when something of theirs is due, what was
 * dropped of them, and what happens to them as time passes. What they take is charged to the room
 * on the way, and those that nobody knows are counted as doubts.
 *
 * <p>Whoever reads or changes a record holds the lock of its {@link #stripe}.
 */
final class MemoryTable {
  /** How far ahead of this machine's clock the date of a key may be (K5). */
  private static final long FUTURE_MICROS = TimeUnit.MINUTES.toMicros(5);

  private static final int STRIPES = 16;

  /** Room that the table has from its first entry on: half a megabyte, of 64 for all. */
  private static final int EXPECTED_ENTRIES = 65_536;

  /** About 73 years: what is added to the monotonic clock must not run over. */
  private static final long MAX_NANOS = Long.MAX_VALUE / 4;

  private final StoreClock clock;
  private final MemoryRoom room;
  private final MemoryDoubts doubts;
  private final ConcurrentHashMap<GuardedId, MemoryRecord> records;
  private final MemoryStripe[] stripes = new MemoryStripe[STRIPES];

  /** The greatest date of a dated key that was dropped (K5). */
  private final AtomicLong horizonMicros = new AtomicLong(Long.MIN_VALUE);

  /** The latest start of an undated request that was dropped. */
  private final AtomicLong undatedMicros = new AtomicLong(Long.MIN_VALUE);

  /** The greatest fence of an undated request that was dropped. */
  private final AtomicLong undatedFence = new AtomicLong(-1);

  MemoryTable(int maxEntries, StoreClock clock, MemoryRoom room, MemoryDoubts doubts) {
    this.clock = clock;
    this.room = room;
    this.doubts = doubts;
    records = new ConcurrentHashMap<>(Math.min(maxEntries, EXPECTED_ENTRIES));
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new MemoryStripe();
    }
  }

  @Nullable MemoryRecord get(GuardedId id) {
    return records.get(id);
  }

  /** Enters a record; it has still to be put into its stripe. */
  void put(MemoryRecord record) {
    records.put(record.id, record);
  }

  MemoryStripe stripe(GuardedId id) {
    int hash = id.hashCode() * 0x9E3779B9;
    return stripes[hash >>> 28 & STRIPES - 1];
  }

  /** Why a key without a record can neither run nor be abandoned (K5). */
  @Nullable Refusal unjudgeable(Key key) {
    if (!key.isDated()) {
      return null;
    }
    long date = key.dateMicros();
    if (date <= horizonMicros.get()) {
      return Refusal.FORGOTTEN;
    }
    return date > clock.wallMillis() * 1000 + FUTURE_MICROS ? Refusal.FROM_THE_FUTURE : null;
  }

  /** What is known of a key without a record. */
  GuardedOutcome withoutRecord(Key key) {
    long horizon = (key.isDated() ? horizonMicros : undatedMicros).get();
    boolean dropped = key.isDated() ? key.dateMicros() <= horizon : horizon > Long.MIN_VALUE;
    return dropped ? new GuardedOutcome.NoRecordSince(horizon) : new GuardedOutcome.NeverSeen();
  }

  /**
   * The fence of a first run: by two greater than that of any run which somebody may still be
   * about. A dated key that was dropped never starts again.
   */
  long firstFence(Key key) {
    return key.isDated() ? 1 : undatedFence.get() + 2;
  }

  // ---- as time passes -------------------------------------------------------------------------

  void lapse(MemoryStripe stripe, MemoryRecord record, long now) {
    if (record.hasLapsed(now)) {
      doubt(
          stripe,
          record,
          "the lease of " + record.terms.leaseMillis() + " ms ended without word of the run");
    }
  }

  /** The room for a reply is given back. */
  void doubt(MemoryStripe stripe, MemoryRecord record, String why) {
    stripe.take(record);
    record.state = State.UNKNOWN;
    record.why = why;
    stripe.put(record);
    room.charge(record, record.ownBytes());
    doubts.enter(record);
  }

  /** Decided, in one way or another; its retention begins. */
  void close(MemoryStripe stripe, MemoryRecord record, State state) {
    if (record.state == State.UNKNOWN) {
      doubts.leave(record);
    }
    stripe.take(record);
    record.state = state;
    record.why = "";
    record.endsNanos = clock.nanos() + nanos(record.terms.retentionMillis());
    stripe.put(record);
  }

  List<UnknownRequest> unknowns(int atMost) {
    record Found(long startedNanos, UnknownRequest request) {}
    List<Found> unknowns = new ArrayList<>();
    for (MemoryStripe stripe : stripes) {
      synchronized (stripe) {
        long now = clock.nanos();
        lapseAll(stripe, now);
        for (MemoryRecord each = stripe.firstUnknown(); each != null; each = each.after) {
          unknowns.add(new Found(each.startedNanos, describe(each, now)));
        }
      }
    }
    // By difference, since the monotonic clock may run over.
    unknowns.sort((one, other) -> Long.signum(one.startedNanos - other.startedNanos));
    return unknowns.stream().limit(atMost).map(Found::request).toList();
  }

  private void lapseAll(MemoryStripe stripe, long now) {
    for (MemoryRecord first = stripe.firstToLapse();
        first != null && first.hasLapsed(now);
        first = stripe.firstToLapse()) {
      lapse(stripe, first, now);
    }
  }

  // ---- dropping -------------------------------------------------------------------------------

  int sweep(int atMost) {
    int dropped = 0;
    long now = clock.nanos();
    for (MemoryStripe stripe : stripes) {
      synchronized (stripe) {
        lapseAll(stripe, now);
      }
    }
    for (MemoryStripe next = firstDue(now);
        next != null && dropped < atMost;
        next = firstDue(now)) {
      synchronized (next) {
        MemoryRecord due = next.firstDue();
        // Another sweep may have been faster.
        if (due != null && due.endsNanos - now <= 0) {
          drop(next, due);
          dropped++;
        }
      }
    }
    return dropped;
  }

  private @Nullable MemoryStripe firstDue(long now) {
    MemoryStripe first = null;
    long soonest = now;
    for (MemoryStripe stripe : stripes) {
      synchronized (stripe) {
        MemoryRecord due = stripe.firstDue();
        if (due != null && due.endsNanos - soonest <= 0) {
          soonest = due.endsNanos;
          first = stripe;
        }
      }
    }
    return first;
  }

  private void drop(MemoryStripe stripe, MemoryRecord record) {
    Key key = record.id.key();
    // Before the record goes: nobody may find neither of them.
    if (key.isDated()) {
      horizonMicros.accumulateAndGet(key.dateMicros(), Math::max);
    } else {
      undatedMicros.accumulateAndGet(startedMicros(record), Math::max);
      undatedFence.accumulateAndGet(record.fence, Math::max);
    }
    stripe.take(record);
    records.remove(record.id);
    room.leave();
    room.charge(record, 0);
  }

  long countOlderThan(Instant started) {
    return older(started, false);
  }

  long forget(Instant started) {
    return older(started, true);
  }

  private long older(Instant started, boolean drops) {
    long count = 0;
    for (MemoryRecord record : records.values()) {
      MemoryStripe stripe = stripe(record.id);
      synchronized (stripe) {
        if (records.get(record.id) == record
            && record.isClosed()
            && started(record).isBefore(started)) {
          count++;
          if (drops) {
            drop(stripe, record);
          }
        }
      }
    }
    return count;
  }

  Instant started(MemoryRecord record) {
    return Instant.ofEpochMilli(
        clock.wallMillis() - (clock.nanos() - record.startedNanos) / 1_000_000);
  }

  private long startedMicros(MemoryRecord record) {
    return started(record).toEpochMilli() * 1_000;
  }

  UnknownRequest describe(MemoryRecord record, long now) {
    long millisAgo = (now - record.startedNanos) / 1_000_000;
    return new UnknownRequest(
        record.id,
        record.operation,
        record.memo,
        record.fence,
        Instant.ofEpochMilli(clock.wallMillis() - millisAgo),
        millisAgo,
        record.why);
  }

  static long nanos(long millis) {
    return Math.min(TimeUnit.MILLISECONDS.toNanos(millis), MAX_NANOS);
  }
}
