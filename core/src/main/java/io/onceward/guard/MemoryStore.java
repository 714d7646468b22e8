package io.onceward.guard;

import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.guard.MemoryRecord.State;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The memory of this process (G1): fast, bounded, and gone with the process, after which a retry
 * executes again.
 *
 * <p>It holds a limited number of entries and bytes, and each started request reserves room for the
 * longest reply, so that what is running never lacks room. At a limit it refuses new requests; it
 * evicts nothing. An unknown request reserves nothing: its reply may never come. If one comes all
 * the same, it may take up to an eighth more than the limit; beyond that the store does not take
 * it. When unknown requests take half of the store, those who have most of them are refused new
 * ones: the operations of a principal's scopes first, and from three quarters on the principal.
 *
 * <p>Leases and retention are counted by the monotonic clock: setting the clock of the machine
 * neither ends nor prolongs them.
 *
 * <p>A thread sweeps what is past its retention until the store is closed. A closed store still
 * takes the completions of what is running, it only does not sweep any more.
 */
public final class MemoryStore implements ClaimStore {
  private static final int SWEEP_AT_ONCE = 256;

  private static final Claimed MISMATCH = new Claimed.Refused(Refusal.MISMATCH);
  private static final Claimed ACKNOWLEDGED = new Claimed.Refused(Refusal.ACKNOWLEDGED);
  private static final Claimed ABANDONED = new Claimed.Refused(Refusal.ABANDONED);

  private final int maxReplyBytes;
  private final StoreClock clock;
  private final MemoryRoom room;
  private final MemoryDoubts doubts;
  private final MemoryTable table;
  private final @Nullable Sweeper sweeper;

  private MemoryStore(Builder builder) {
    maxReplyBytes = builder.maxReplyBytes;
    clock = builder.clock;
    room = new MemoryRoom(builder.maxEntries, builder.maxBytes, maxReplyBytes);
    doubts = new MemoryDoubts(builder.maxEntries, builder.maxBytes);
    table = new MemoryTable(builder.maxEntries, clock, room, doubts);
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
    MemoryStripe stripe = table.stripe(ask.id());
    synchronized (stripe) {
      MemoryRecord record = table.get(ask.id());
      return record == null ? first(stripe, ask, terms) : known(stripe, record, ask, terms);
    }
  }

  @Override
  public Claimed rerun(Ask ask, long fence, ClaimTerms terms) {
    MemoryStripe stripe = table.stripe(ask.id());
    synchronized (stripe) {
      MemoryRecord record = table.get(ask.id());
      if (record == null) {
        return first(stripe, ask, terms);
      }
      long now = clock.nanos();
      table.lapse(stripe, record, now);
      if (record.state == State.UNKNOWN && record.fence == fence && record.matches(ask)) {
        return startAgain(stripe, record, ask, terms, now);
      }
      return known(stripe, record, ask, terms);
    }
  }

  @Override
  public @Nullable Claimed glance(Ask ask) {
    MemoryRecord record = table.get(ask.id());
    if (record == null) {
      return null;
    }
    Claimed.Done done = record.done;
    if (done == null) {
      return null;
    }
    // Not by the state: it may change between the two looks, as when the reply is acknowledged.
    return record.asksTheSame(ask) ? done : MISMATCH;
  }

  /** Under the stripe's lock, which the sweep of this id would need too: no drop comes between. */
  private Claimed first(MemoryStripe stripe, Ask ask, ClaimTerms terms) {
    Refusal unjudgeable = table.unjudgeable(ask.id().key());
    if (unjudgeable != null) {
      return new Claimed.Refused(unjudgeable);
    }
    if (doubts.areTooMany(ask)) {
      return overloaded(UNKNOWN_REQUESTS);
    }
    if (!room.enter()) {
      return overloaded("maxEntries");
    }
    MemoryRecord record = new MemoryRecord(ask, terms);
    if (!room.reserve(record, record.ownBytes())) {
      room.leave();
      return overloaded("maxBytes");
    }
    table.put(record);
    long now = clock.nanos();
    record.startedNanos = now;
    return start(stripe, record, ask, terms, table.firstFence(ask.id().key()), now);
  }

  private Claimed known(MemoryStripe stripe, MemoryRecord record, Ask ask, ClaimTerms terms) {
    if (!record.matches(ask)) {
      return MISMATCH;
    }
    long now = clock.nanos();
    table.lapse(stripe, record, now);
    return switch (record.state) {
      case DONE -> Objects.requireNonNull(record.done);
      case UNKNOWN -> new Claimed.Unknown(table.describe(record, now));
      case ACKNOWLEDGED -> ACKNOWLEDGED;
      case ABANDONED -> ABANDONED;
      case STARTED ->
          // Rounded up: who comes back after it finds the lease over.
          new Claimed.Running((record.endsNanos - now + 999_999) / 1_000_000);
      case RELEASED -> {
        if (doubts.areTooMany(ask)) {
          yield overloaded(UNKNOWN_REQUESTS);
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
    return start(stripe, record, ask, terms, record.fence + 1, now);
  }

  private Claimed start(
      MemoryStripe stripe, MemoryRecord record, Ask ask, ClaimTerms terms, long fence, long now) {
    record.state = State.STARTED;
    record.why = "";
    record.operation = ask.operation();
    record.memo = ask.memo();
    record.fence = fence;
    record.terms = terms;
    record.endsNanos = now + MemoryTable.nanos(terms.leaseMillis());
    stripe.put(record);
    return new Claimed.Started(record.fence);
  }

  @Override
  public boolean done(GuardedId id, long fence, Reply reply) {
    if (reply.bytes().length() > maxReplyBytes) {
      throw new IllegalArgumentException(
          "a reply has at most " + maxReplyBytes + " bytes, got " + reply.bytes().length());
    }
    MemoryStripe stripe = table.stripe(id);
    synchronized (stripe) {
      MemoryRecord record = table.get(id);
      if (record == null) {
        return false;
      }
      boolean open = record.state == State.STARTED || record.state == State.UNKNOWN;
      if (open && record.fence == fence) {
        long own = record.ownBytes() - record.why.length();
        room.requireForLateReply(own + reply.bytes().length() - record.chargedBytes);
        Reply kept = MemoryRecord.own(reply);
        table.close(stripe, record, State.DONE);
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
    MemoryStripe stripe = table.stripe(id);
    synchronized (stripe) {
      MemoryRecord record = table.get(id);
      if (record == null || record.fence != fence) {
        return false;
      }
      if (record.state == State.STARTED) {
        table.doubt(stripe, record, why.substring(0, Math.min(why.length(), MAX_WHY_CHARACTERS)));
      }
      return record.state == State.UNKNOWN;
    }
  }

  @Override
  public boolean release(GuardedId id, long fence) {
    MemoryStripe stripe = table.stripe(id);
    synchronized (stripe) {
      MemoryRecord record = table.get(id);
      if (record == null || record.fence != fence) {
        return false;
      }
      if (record.state == State.STARTED || record.state == State.UNKNOWN) {
        table.close(stripe, record, State.RELEASED);
        room.charge(record, record.ownBytes());
      }
      return record.state == State.RELEASED;
    }
  }

  @Override
  public List<UnknownRequest> unknowns(int atMost) {
    return table.unknowns(atMost);
  }

  @Override
  public double unknownShare() {
    return doubts.share();
  }

  @Override
  public List<Evidence> evidence(GuardedId id) {
    synchronized (table.stripe(id)) {
      MemoryRecord record = table.get(id);
      return record == null ? List.of() : record.evidence();
    }
  }

  @Override
  public int sweep(int atMost) {
    return table.sweep(atMost);
  }

  @Override
  public GuardedOutcome outcome(GuardedId id) {
    MemoryStripe stripe = table.stripe(id);
    synchronized (stripe) {
      MemoryRecord record = table.get(id);
      if (record == null) {
        return table.withoutRecord(id.key());
      }
      long now = clock.nanos();
      table.lapse(stripe, record, now);
      return switch (record.state) {
        case STARTED -> new GuardedOutcome.Running((record.endsNanos - now + 999_999) / 1_000_000);
        case UNKNOWN -> new GuardedOutcome.Unknown(table.describe(record, now));
        case DONE ->
            new GuardedOutcome.Executed(
                Objects.requireNonNull(record.done).reply(), table.started(record));
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
    MemoryStripe stripe = table.stripe(id);
    synchronized (stripe) {
      MemoryRecord record = table.get(id);
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
          record.endsNanos = clock.nanos() + MemoryTable.nanos(retentionMillis);
          stripe.put(record);
          yield new GuardedAbandonment.Closed(id.key().isDated());
        }
      };
    }
  }

  private GuardedAbandonment abandonUnseen(
      MemoryStripe stripe, GuardedId id, long retentionMillis) {
    Refusal unjudgeable = table.unjudgeable(id.key());
    if (unjudgeable != null) {
      return new GuardedAbandonment.Refused(unjudgeable, "");
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
    record.endsNanos = record.startedNanos + MemoryTable.nanos(retentionMillis);
    table.put(record);
    stripe.put(record);
    return new GuardedAbandonment.Closed(id.key().isDated());
  }

  @Override
  public boolean acknowledge(GuardedId id) {
    MemoryStripe stripe = table.stripe(id);
    synchronized (stripe) {
      MemoryRecord record = table.get(id);
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
    return table.countOlderThan(started);
  }

  @Override
  public long forget(Instant started) {
    return table.forget(started);
  }

  private static Claimed overloaded(String limit) {
    return new Claimed.Refused(Refusal.OVERLOADED, limit);
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
