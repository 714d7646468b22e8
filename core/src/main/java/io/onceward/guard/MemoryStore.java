package io.onceward.guard;

import io.onceward.Key;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.MemoryRecord.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory of this process (G1): fast, bounded, and gone with the process, after which a retry
 * executes again.
 *
 * <p>It holds a limited number of entries and bytes, and each started request reserves room for the
 * longest reply, so that what is running never lacks room. At a limit it refuses new requests; it
 * evicts nothing. An unknown request reserves nothing: its reply may never come. If one comes all
 * the same, it may take up to an eighth more than the limit; beyond that the store does not take
 * it. When unknown requests take half of the store, a principal that has an average number of them
 * or more is refused new ones.
 *
 * <p>Leases and retention are counted by the monotonic clock: setting the clock of the machine
 * neither ends nor prolongs them.
 *
 * <p>A thread sweeps what is past its retention until the store is closed. A closed store still
 * takes the completions of what is running, it only does not sweep any more.
 */
public final class MemoryStore implements ClaimStore {
  /** How far ahead of this machine's clock the date of a key may be (K5). */
  static final long FUTURE_MICROS = TimeUnit.MINUTES.toMicros(5);

  private static final int STRIPES = 16;
  private static final int SWEEP_AT_ONCE = 256;

  /** Room that the table has from its first entry on: half a megabyte, of 64 for all. */
  private static final int EXPECTED_ENTRIES = 65_536;

  /** About 73 years: what is added to the monotonic clock must not run over. */
  private static final long MAX_NANOS = Long.MAX_VALUE / 4;

  private static final Claimed MISMATCH = new Claimed.Refused(Refusal.MISMATCH);
  private static final Claimed.Refused FORGOTTEN = new Claimed.Refused(Refusal.FORGOTTEN);
  private static final Claimed ACKNOWLEDGED = new Claimed.Refused(Refusal.ACKNOWLEDGED);
  private static final Claimed ABANDONED = new Claimed.Refused(Refusal.ABANDONED);
  private static final Claimed.Refused FROM_THE_FUTURE =
      new Claimed.Refused(Refusal.FROM_THE_FUTURE);

  private final int maxReplyBytes;
  private final StoreClock clock;
  private final ConcurrentHashMap<GuardedId, MemoryRecord> records;
  private final MemoryStripe[] stripes = new MemoryStripe[STRIPES];
  private final MemoryRoom room;
  private final MemoryDoubts doubts;

  /** The greatest date of a dated key that was dropped (K5). */
  private final AtomicLong horizonMicros = new AtomicLong(Long.MIN_VALUE);

  /** The latest start of an undated request that was dropped. */
  private final AtomicLong undatedMicros = new AtomicLong(Long.MIN_VALUE);

  private final @Nullable Sweeper sweeper;

  private MemoryStore(Builder builder) {
    maxReplyBytes = builder.maxReplyBytes;
    clock = builder.clock;
    room = new MemoryRoom(builder.maxEntries, builder.maxBytes, maxReplyBytes);
    doubts = new MemoryDoubts(Math.max(1, builder.maxEntries / 2), builder.maxBytes / 2);
    records = new ConcurrentHashMap<>(Math.min(builder.maxEntries, EXPECTED_ENTRIES));
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new MemoryStripe();
    }
    sweeper = builder.sweeps ? Sweeper.start("onceward-memory-store", this) : null;
  }

  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Claimed claim(Ask ask, ClaimTerms terms) {
    Claimed known = glance(ask);
    if (known != null) {
      return known;
    }
    Claimed claimed = tryClaim(ask, terms);
    boolean full =
        claimed instanceof Claimed.Refused refused && refused.refusal() == Refusal.OVERLOADED;
    // The sweeper comes by every second; who finds the store full need not wait for it.
    return full && makesRoom() ? tryClaim(ask, terms) : claimed;
  }

  private boolean makesRoom() {
    long before = room.bytes();
    return sweep(SWEEP_AT_ONCE) > 0 || room.bytes() < before;
  }

  private Claimed tryClaim(Ask ask, ClaimTerms terms) {
    MemoryStripe stripe = stripe(ask.id());
    synchronized (stripe) {
      MemoryRecord record = records.get(ask.id());
      return record == null ? first(stripe, ask, terms) : known(stripe, record, ask, terms);
    }
  }

  @Override
  public Claimed rerun(Ask ask, long fence, ClaimTerms terms) {
    MemoryStripe stripe = stripe(ask.id());
    synchronized (stripe) {
      MemoryRecord record = records.get(ask.id());
      if (record == null) {
        return first(stripe, ask, terms);
      }
      long now = clock.nanos();
      lapse(stripe, record, now);
      if (record.state == State.UNKNOWN && record.fence == fence && record.matches(ask)) {
        return startAgain(stripe, record, ask, terms, now);
      }
      return known(stripe, record, ask, terms);
    }
  }

  @Override
  public @Nullable Claimed glance(Ask ask) {
    MemoryRecord record = records.get(ask.id());
    if (record == null) {
      return null;
    }
    Claimed.Done done = record.done;
    if (done == null) {
      return null;
    }
    return record.matches(ask) ? done : MISMATCH;
  }

  /** Under the stripe's lock, which the sweep of this id would need too: no drop comes between. */
  private Claimed first(MemoryStripe stripe, Ask ask, ClaimTerms terms) {
    Claimed.Refused unjudgeable = unjudgeable(ask.id().key());
    if (unjudgeable != null) {
      return unjudgeable;
    }
    if (doubts.areTooMany(ask.id().principal())) {
      return overloaded("unknown requests");
    }
    if (!room.enter()) {
      return overloaded("maxEntries");
    }
    MemoryRecord record = new MemoryRecord(ask, terms);
    if (!room.reserve(record, record.ownBytes())) {
      room.leave();
      return overloaded("maxBytes");
    }
    records.put(ask.id(), record);
    long now = clock.nanos();
    record.startedNanos = now;
    return start(stripe, record, ask, terms, now);
  }

  /** Why a key without a record can neither run nor be abandoned (K5). */
  private Claimed.@Nullable Refused unjudgeable(Key key) {
    if (!key.isDated()) {
      return null;
    }
    long date = key.dateMicros();
    if (date <= horizonMicros.get()) {
      return FORGOTTEN;
    }
    return date > clock.wallMillis() * 1000 + FUTURE_MICROS ? FROM_THE_FUTURE : null;
  }

  private Claimed known(MemoryStripe stripe, MemoryRecord record, Ask ask, ClaimTerms terms) {
    if (!record.matches(ask)) {
      return MISMATCH;
    }
    long now = clock.nanos();
    lapse(stripe, record, now);
    return switch (record.state) {
      case DONE -> Objects.requireNonNull(record.done);
      case UNKNOWN -> new Claimed.Unknown(describe(record, now));
      case ACKNOWLEDGED -> ACKNOWLEDGED;
      case ABANDONED -> ABANDONED;
      case STARTED ->
          // Rounded up: who comes back after it finds the lease over.
          new Claimed.Running((record.endsNanos - now + 999_999) / 1_000_000);
      case RELEASED -> {
        if (doubts.areTooMany(ask.id().principal())) {
          yield overloaded("unknown requests");
        }
        Claimed again = startAgain(stripe, record, ask, terms, now);
        if (again instanceof Claimed.Started) {
          record.startedNanos = now;
        }
        yield again;
      }
    };
  }

  /** One that is unknown or released; nothing changes if there is no room for its reply. */
  private Claimed startAgain(
      MemoryStripe stripe, MemoryRecord record, Ask ask, ClaimTerms terms, long now) {
    // The memo may be another one than before.
    long own =
        record.ownBytes()
            - record.why.length()
            + ask.memo().length()
            - record.memo.length()
            + ask.operation().length()
            - record.operation.length();
    if (record.state == State.UNKNOWN) {
      doubts.leave(record);
    }
    if (!room.reserve(record, own)) {
      if (record.state == State.UNKNOWN) {
        doubts.enter(record);
      }
      return overloaded("maxBytes");
    }
    stripe.take(record);
    return start(stripe, record, ask, terms, now);
  }

  private Claimed start(
      MemoryStripe stripe, MemoryRecord record, Ask ask, ClaimTerms terms, long now) {
    record.state = State.STARTED;
    record.why = "";
    record.operation = ask.operation();
    record.memo = ask.memo();
    record.fence++;
    record.terms = terms;
    record.endsNanos = now + nanos(terms.leaseMillis());
    stripe.put(record);
    return new Claimed.Started(record.fence);
  }

  private void lapse(MemoryStripe stripe, MemoryRecord record, long now) {
    if (record.hasLapsed(now)) {
      doubt(
          stripe,
          record,
          "the lease of " + record.terms.leaseMillis() + " ms ended without word of the run");
    }
  }

  /** The room for a reply is given back. */
  private void doubt(MemoryStripe stripe, MemoryRecord record, String why) {
    stripe.take(record);
    record.state = State.UNKNOWN;
    record.why = why;
    stripe.put(record);
    room.charge(record, record.ownBytes());
    doubts.enter(record);
  }

  @Override
  public boolean done(GuardedId id, long fence, Reply reply) {
    if (reply.bytes().length() > maxReplyBytes) {
      throw new IllegalArgumentException(
          "a reply has at most " + maxReplyBytes + " bytes, got " + reply.bytes().length());
    }
    MemoryStripe stripe = stripe(id);
    synchronized (stripe) {
      MemoryRecord record = records.get(id);
      if (record == null) {
        return false;
      }
      boolean open = record.state == State.STARTED || record.state == State.UNKNOWN;
      if (open && record.fence == fence) {
        long own = record.ownBytes() - record.why.length();
        room.requireForLateReply(own + reply.bytes().length() - record.chargedBytes);
        Reply kept = MemoryRecord.own(reply);
        close(stripe, record, State.DONE);
        room.charge(record, own + kept.bytes().length());
        record.done = new Claimed.Done(kept);
        return true;
      }
      if (record.fence == fence && record.wasDecidedWith(reply)) {
        return true;
      }
      keepEvidence(record, fence, reply);
      return false;
    }
  }

  private void keepEvidence(MemoryRecord record, long fence, Reply reply) {
    long more = (long) MemoryRecord.BYTES_PER_EVIDENCE + reply.bytes().length();
    room.requireForLateReply(more);
    Instant arrived = Instant.ofEpochMilli(clock.wallMillis());
    if (!record.keep(new Evidence(record.id, fence, MemoryRecord.own(reply), arrived))) {
      return;
    }
    boolean unknown = record.state == State.UNKNOWN;
    if (unknown) {
      doubts.leave(record);
    }
    room.charge(record, record.chargedBytes + more);
    if (unknown) {
      doubts.enter(record);
    }
  }

  @Override
  public boolean unknown(GuardedId id, long fence, String why) {
    MemoryStripe stripe = stripe(id);
    synchronized (stripe) {
      MemoryRecord record = records.get(id);
      if (record == null || record.fence != fence) {
        return false;
      }
      if (record.state == State.STARTED) {
        doubt(stripe, record, why.substring(0, Math.min(why.length(), MAX_WHY_CHARACTERS)));
      }
      return record.state == State.UNKNOWN;
    }
  }

  @Override
  public boolean release(GuardedId id, long fence) {
    MemoryStripe stripe = stripe(id);
    synchronized (stripe) {
      MemoryRecord record = records.get(id);
      if (record == null || record.fence != fence) {
        return false;
      }
      if (record.state == State.STARTED || record.state == State.UNKNOWN) {
        close(stripe, record, State.RELEASED);
        room.charge(record, record.ownBytes());
      }
      return record.state == State.RELEASED;
    }
  }

  private void close(MemoryStripe stripe, MemoryRecord record, State state) {
    if (record.state == State.UNKNOWN) {
      doubts.leave(record);
    }
    stripe.take(record);
    record.state = state;
    record.why = "";
    record.endsNanos = clock.nanos() + nanos(record.terms.retentionMillis());
    stripe.put(record);
  }

  @Override
  public List<UnknownRequest> unknowns(int atMost) {
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

  @Override
  public List<Evidence> evidence(GuardedId id) {
    synchronized (stripe(id)) {
      MemoryRecord record = records.get(id);
      return record == null ? List.of() : record.evidence();
    }
  }

  @Override
  public int sweep(int atMost) {
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
    }
    stripe.take(record);
    records.remove(record.id);
    room.leave();
    room.charge(record, 0);
  }

  @Override
  public GuardedOutcome outcome(GuardedId id) {
    MemoryStripe stripe = stripe(id);
    synchronized (stripe) {
      MemoryRecord record = records.get(id);
      if (record == null) {
        long horizon = (id.key().isDated() ? horizonMicros : undatedMicros).get();
        boolean dropped =
            id.key().isDated() ? id.key().dateMicros() <= horizon : horizon > Long.MIN_VALUE;
        return dropped ? new GuardedOutcome.NoRecordSince(horizon) : new GuardedOutcome.NeverSeen();
      }
      long now = clock.nanos();
      lapse(stripe, record, now);
      return switch (record.state) {
        case STARTED -> new GuardedOutcome.Running((record.endsNanos - now + 999_999) / 1_000_000);
        case UNKNOWN -> new GuardedOutcome.Unknown(describe(record, now));
        case DONE ->
            new GuardedOutcome.Executed(
                Objects.requireNonNull(record.done).reply(), started(record));
        case RELEASED -> new GuardedOutcome.DidNotHappen();
        case ACKNOWLEDGED -> new GuardedOutcome.Acknowledged();
        case ABANDONED -> new GuardedOutcome.Abandoned();
      };
    }
  }

  @Override
  public GuardedAbandonment abandon(GuardedId id, long retentionMillis) {
    GuardedAbandonment answer = tryAbandon(id, retentionMillis);
    boolean full =
        answer instanceof GuardedAbandonment.Refused refused
            && refused.refusal() == Refusal.OVERLOADED;
    return full && makesRoom() ? tryAbandon(id, retentionMillis) : answer;
  }

  private GuardedAbandonment tryAbandon(GuardedId id, long retentionMillis) {
    MemoryStripe stripe = stripe(id);
    synchronized (stripe) {
      MemoryRecord record = records.get(id);
      if (record == null) {
        return abandonUnseen(stripe, id, retentionMillis);
      }
      GuardedOutcome now = outcome(id);
      return switch (record.state) {
        case STARTED, UNKNOWN -> new GuardedAbandonment.Undecided(now);
        case DONE -> new GuardedAbandonment.Executed(Objects.requireNonNull(record.done).reply());
        case ACKNOWLEDGED -> new GuardedAbandonment.Refused(Refusal.ACKNOWLEDGED, "");
        case ABANDONED -> new GuardedAbandonment.Closed(id.key().isDated());
        case RELEASED -> {
          stripe.take(record);
          record.terms = new ClaimTerms(record.terms.leaseMillis(), retentionMillis);
          record.state = State.ABANDONED;
          record.endsNanos = clock.nanos() + nanos(retentionMillis);
          stripe.put(record);
          yield new GuardedAbandonment.Closed(id.key().isDated());
        }
      };
    }
  }

  private GuardedAbandonment abandonUnseen(
      MemoryStripe stripe, GuardedId id, long retentionMillis) {
    Claimed.Refused unjudgeable = unjudgeable(id.key());
    if (unjudgeable != null) {
      return new GuardedAbandonment.Refused(unjudgeable.refusal(), "");
    }
    if (!room.enter()) {
      return new GuardedAbandonment.Refused(Refusal.OVERLOADED, "maxEntries");
    }
    MemoryRecord record =
        new MemoryRecord(new Ask(id, null, ""), new ClaimTerms(1, retentionMillis));
    if (!room.chargeWithin(record, record.ownBytes())) {
      room.leave();
      return new GuardedAbandonment.Refused(Refusal.OVERLOADED, "maxBytes");
    }
    record.startedNanos = clock.nanos();
    record.state = State.ABANDONED;
    record.endsNanos = record.startedNanos + nanos(retentionMillis);
    records.put(id, record);
    stripe.put(record);
    return new GuardedAbandonment.Closed(id.key().isDated());
  }

  @Override
  public boolean acknowledge(GuardedId id) {
    MemoryStripe stripe = stripe(id);
    synchronized (stripe) {
      MemoryRecord record = records.get(id);
      if (record == null || record.state != State.DONE) {
        return false;
      }
      // Its place in the line stays: it lasts as long as the record would have.
      record.take();
      room.charge(record, record.ownBytes());
      return true;
    }
  }

  @Override
  public long countOlderThan(Instant started) {
    return older(started, false);
  }

  @Override
  public long forget(Instant started) {
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

  private Instant started(MemoryRecord record) {
    return Instant.ofEpochMilli(
        clock.wallMillis() - (clock.nanos() - record.startedNanos) / 1_000_000);
  }

  private long startedMicros(MemoryRecord record) {
    return started(record).toEpochMilli() * 1_000;
  }

  private UnknownRequest describe(MemoryRecord record, long now) {
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

  private MemoryStripe stripe(GuardedId id) {
    int hash = id.hashCode() * 0x9E3779B9;
    return stripes[hash >>> 28 & STRIPES - 1];
  }

  private static Claimed overloaded(String limit) {
    return new Claimed.Refused(Refusal.OVERLOADED, limit);
  }

  private static long nanos(long millis) {
    return Math.min(TimeUnit.MILLISECONDS.toNanos(millis), MAX_NANOS);
  }

  /** How many requests it knows, decided ones included. */
  public long entries() {
    return room.entries();
  }

  /** What they take, with the room that is reserved for replies to come. */
  public long bytes() {
    return room.bytes();
  }

  @Override
  public int maxReplyBytes() {
    return maxReplyBytes;
  }

  @Override
  public Durability durability() {
    return Durability.PROCESS;
  }

  @Override
  public void close() {
    if (sweeper != null) {
      sweeper.stop();
    }
  }

  /** Sets the limits of a {@link MemoryStore}. */
  public static final class Builder {
    private int maxEntries = 100_000;
    private long maxBytes = 64L << 20;
    private int maxReplyBytes = 64 << 10;
    private StoreClock clock = StoreClock.SYSTEM;
    private boolean sweeps = true;

    private Builder() {}

    /** How many requests are known at once, decided ones included. Default 100,000. */
    public Builder maxEntries(int maxEntries) {
      this.maxEntries = atLeastOne("maxEntries", maxEntries);
      return this;
    }

    /** What they may take together, room for replies to come included. Default 64 MiB. */
    public Builder maxBytes(long maxBytes) {
      if (maxBytes < 1) {
        throw new IllegalArgumentException("maxBytes is at least 1, got " + maxBytes);
      }
      this.maxBytes = maxBytes;
      return this;
    }

    /** The longest reply that is kept; each request under way reserves it. Default 64 KiB. */
    public Builder maxReplyBytes(int maxReplyBytes) {
      this.maxReplyBytes = atLeastOne("maxReplyBytes", maxReplyBytes);
      return this;
    }

    Builder clock(StoreClock clock) {
      this.clock = clock;
      return this;
    }

    /** Without the thread: only who calls {@link MemoryStore#sweep} sweeps. */
    Builder sweptByHand() {
      sweeps = false;
      return this;
    }

    public MemoryStore build() {
      return new MemoryStore(this);
    }

    private static int atLeastOne(String name, int value) {
      if (value < 1) {
        throw new IllegalArgumentException(name + " is at least 1, got " + value);
      }
      return value;
    }
  }
}
