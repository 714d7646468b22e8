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
 * <p>It holds at most so many entries and bytes, and each started request reserves room for the
 * longest reply, so that nothing it has promised ever lacks room. At a limit it refuses new
 * requests; it evicts nothing. Leases and retention are counted by the monotonic clock: setting the
 * clock of the machine neither ends nor prolongs them.
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
  private static final Claimed FORGOTTEN = new Claimed.Refused(Refusal.FORGOTTEN);
  private static final Claimed FROM_THE_FUTURE = new Claimed.Refused(Refusal.FROM_THE_FUTURE);

  private final int maxEntries;
  private final long maxBytes;
  private final int maxReplyBytes;
  private final StoreClock clock;
  private final ConcurrentHashMap<GuardedId, MemoryRecord> records;
  private final MemoryStripe[] stripes = new MemoryStripe[STRIPES];
  private final AtomicLong entries = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  /** The greatest date of a dated key that was dropped (K5). */
  private final AtomicLong horizonMicros = new AtomicLong(Long.MIN_VALUE);

  private final @Nullable Sweeper sweeper;

  private MemoryStore(Builder builder) {
    maxEntries = builder.maxEntries;
    maxBytes = builder.maxBytes;
    maxReplyBytes = builder.maxReplyBytes;
    clock = builder.clock;
    records = new ConcurrentHashMap<>(Math.min(maxEntries, EXPECTED_ENTRIES));
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
    return full && sweep(SWEEP_AT_ONCE) > 0 ? tryClaim(ask, terms) : claimed;
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
      record.lapse(now);
      if (record.state == State.UNKNOWN && record.fence == fence && record.matches(ask)) {
        return start(record, ask, terms, now);
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
    Key key = ask.id().key();
    if (key.isDated()) {
      long date = key.dateMicros();
      if (date <= horizonMicros.get()) {
        return FORGOTTEN;
      }
      if (date > clock.wallMillis() * 1000 + FUTURE_MICROS) {
        return FROM_THE_FUTURE;
      }
    }
    if (entries.incrementAndGet() > maxEntries) {
      entries.decrementAndGet();
      return overloaded("maxEntries");
    }
    MemoryRecord record = new MemoryRecord(ask, terms);
    if (!reserve(record)) {
      entries.decrementAndGet();
      return overloaded("maxBytes");
    }
    records.put(ask.id(), record);
    stripe.open(record);
    long now = clock.nanos();
    record.startedNanos = now;
    return start(record, ask, terms, now);
  }

  private Claimed known(MemoryStripe stripe, MemoryRecord record, Ask ask, ClaimTerms terms) {
    if (!record.matches(ask)) {
      return MISMATCH;
    }
    long now = clock.nanos();
    record.lapse(now);
    return switch (record.state) {
      case DONE -> Objects.requireNonNull(record.done);
      case UNKNOWN -> new Claimed.Unknown(describe(record, now));
      case STARTED ->
          // Rounded up: who comes back after it finds the lease over.
          new Claimed.Running((record.endsNanos - now + 999_999) / 1_000_000);
      case RELEASED -> {
        if (!reserve(record)) {
          yield overloaded("maxBytes");
        }
        stripe.reopen(record);
        record.startedNanos = now;
        yield start(record, ask, terms, now);
      }
    };
  }

  private Claimed start(MemoryRecord record, Ask ask, ClaimTerms terms, long now) {
    record.state = State.STARTED;
    record.why = "";
    record.operation = ask.operation();
    record.memo = ask.memo();
    record.fence++;
    record.terms = terms;
    record.endsNanos = now + nanos(terms.leaseMillis());
    if (record.fence > 1) {
      // The memo may be another one than before.
      charge(record, record.ownBytes() + maxReplyBytes);
    }
    return new Claimed.Started(record.fence);
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
        Reply kept = MemoryRecord.own(reply);
        charge(record, record.ownBytes() + kept.bytes().length());
        close(stripe, record, State.DONE);
        record.done = new Claimed.Done(kept);
        return true;
      }
      Claimed.Done done = record.done;
      if (done != null && record.fence == fence && done.reply().equals(reply)) {
        return true;
      }
      Instant arrived = Instant.ofEpochMilli(clock.wallMillis());
      if (record.keep(new Evidence(id, fence, MemoryRecord.own(reply), arrived))) {
        charge(
            record, record.chargedBytes + MemoryRecord.BYTES_PER_EVIDENCE + reply.bytes().length());
      }
      return false;
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
        record.becomeUnknown(why.substring(0, Math.min(why.length(), MAX_WHY_CHARACTERS)));
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
        charge(record, record.ownBytes());
        close(stripe, record, State.RELEASED);
      }
      return record.state == State.RELEASED;
    }
  }

  private void close(MemoryStripe stripe, MemoryRecord record, State state) {
    record.state = state;
    record.why = "";
    record.endsNanos = clock.nanos() + nanos(record.terms.retentionMillis());
    stripe.close(record);
  }

  @Override
  public List<UnknownRequest> unknowns(int atMost) {
    record Found(long startedNanos, UnknownRequest request) {}
    List<Found> unknowns = new ArrayList<>();
    for (MemoryStripe stripe : stripes) {
      synchronized (stripe) {
        long now = clock.nanos();
        int left = atMost;
        for (MemoryRecord each = stripe.firstOpen(); each != null && left > 0; each = each.after) {
          each.lapse(now);
          if (each.state == State.UNKNOWN) {
            unknowns.add(new Found(each.startedNanos, describe(each, now)));
            left--;
          }
        }
      }
    }
    // By difference, since the monotonic clock may run over.
    unknowns.sort((one, other) -> Long.signum(one.startedNanos - other.startedNanos));
    return unknowns.stream().limit(atMost).map(Found::request).toList();
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
    if (key.isDated()) {
      // Before the record goes: nobody may find neither of them.
      horizonMicros.accumulateAndGet(key.dateMicros(), Math::max);
    }
    stripe.drop(record);
    records.remove(record.id);
    entries.decrementAndGet();
    charge(record, 0);
  }

  private boolean reserve(MemoryRecord record) {
    charge(record, record.ownBytes() + maxReplyBytes);
    if (bytes.get() <= maxBytes) {
      return true;
    }
    charge(record, record.state == State.RELEASED ? record.ownBytes() : 0);
    return false;
  }

  private void charge(MemoryRecord record, long now) {
    bytes.addAndGet(now - record.chargedBytes);
    record.chargedBytes = now;
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
    return entries.get();
  }

  /** What they take, with the room that is reserved for replies to come. */
  public long bytes() {
    return bytes.get();
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
