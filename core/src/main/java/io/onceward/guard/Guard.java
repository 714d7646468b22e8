package io.onceward.guard;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.Scope;
import io.onceward.guard.Copy.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets an effect outside happen once for each request id, and gives every retry the reply of the
 * first (section G). Concurrent duplicates in this process wait for the one that runs; those in
 * other processes are told apart by the store. What cannot be known is called unknown, and is not
 * run again until a probe or an operator has resolved it.
 *
 * <p>In bytes, for those who build on it; {@link Once} is the same with types. Thread-safe.
 */
public final class Guard implements AutoCloseable {
  /** From here on somebody has to look at the unknown requests. */
  private static final double ALARMING_SHARE = 0.8;

  private final ClaimStore store;
  private final boolean ownsStore;
  final GuardSetup setup;
  private final @Nullable GuardListener listener;
  final Workers workers;
  private volatile boolean closed;

  /** Whether the listener knows that unknown requests pile up. */
  private final AtomicBoolean alarmed = new AtomicBoolean();

  private Guard(Builder builder) {
    store = builder.store();
    ownsStore = builder.given == null;
    listener = builder.listener == null ? null : builder.listener.neverThrowing();
    setup = builder.setup(store);
    // Memory answers at once, so nothing has to wait for it elsewhere; a probe may take its time.
    workers = new Workers(builder.executor, setup.atOnce() && builder.probe == null);
  }

  /** A guard on a store, which is not closed with it. */
  public static Builder on(ClaimStore store) {
    return new Builder(Objects.requireNonNull(store, "store"));
  }

  /** A guard on a {@link MemoryStore} of its own, which is closed with it. */
  public static Builder inMemory() {
    return new Builder(null);
  }

  /**
   * Runs the effect on this thread, or tells what is known of the request. Never throws what the
   * effect threw, but for an {@link Error}, which leaves the request unknown. A thread that is
   * interrupted stops waiting for others, and stays interrupted; what it ran is recorded.
   *
   * @throws IllegalStateException if the guard is closed
   */
  public Ruling decide(Ask ask, Effect effect) {
    return decide(ask, effect, setup);
  }

  /**
   * As {@link #decide(Ask, Effect)}, for a caller who waits for other copies as long as this, in
   * place of the guard's own {@link Builder#waitAtMost}. It does not bound the effect.
   */
  public Ruling decide(Ask ask, Effect effect, Duration waitAtMost) {
    return decide(ask, effect, setup.waitingAtMost(waitAtMost));
  }

  private Ruling decide(Ask ask, Effect effect, GuardSetup setup) {
    refuseIfClosed();
    long began = listener == null ? 0 : System.nanoTime();
    Claimed claimed = null;
    if (setup.atOnce() && !setup.mustBeKnown(ask.id())) {
      try {
        claimed = store.claim(ask, setup.terms());
      } catch (RuntimeException e) {
        return heard(ask, new Ruling.NoStore(e), began);
      }
      if (claimed instanceof Claimed.Done done) {
        // Replays are most of what memory is asked for, and there is nothing to keep track of.
        return heard(ask, new Ruling.Replied(done.reply(), true), began);
      }
    }
    Copy copy = new Copy(setup, ask);
    try {
      Step step = claimed == null ? copy.next() : copy.next(claimed);
      while (step != Step.RULED) {
        step =
            switch (step) {
              case RUN -> run(copy, effect);
              case AWAIT_TWIN -> copy.awaitTwin();
              case AGAIN -> copy.pause();
              case RULED -> step;
            };
      }
    } catch (Throwable failure) {
      copy.crash(failure);
      throw failure;
    }
    heard(ask, copy.ruling(), began);
    if (copy.error() != null) {
      throw copy.error();
    }
    return copy.ruling();
  }

  private static Step run(Copy copy, Effect effect) {
    Reply reply;
    try {
      reply = effect.run(copy.run());
    } catch (Throwable failure) {
      return copy.ended(null, failure);
    }
    return copy.ended(reply, null);
  }

  /**
   * The same without holding a thread. Who cancels or drops the future gives up the answer, not the
   * request: what was begun is run to its end and recorded.
   *
   * @return completed with the ruling, or with the {@link Error} of an effect
   * @throws IllegalStateException if the guard is closed
   */
  public CompletableFuture<Ruling> decideAsync(Ask ask, AsyncEffect effect) {
    return decideAsync(ask, effect, setup);
  }

  /** As {@link #decide(Ask, Effect, Duration)}, without holding a thread. */
  public CompletableFuture<Ruling> decideAsync(Ask ask, AsyncEffect effect, Duration waitAtMost) {
    return decideAsync(ask, effect, setup.waitingAtMost(waitAtMost));
  }

  private CompletableFuture<Ruling> decideAsync(Ask ask, AsyncEffect effect, GuardSetup setup) {
    refuseIfClosed();
    long began = listener == null ? 0 : System.nanoTime();
    return new AsyncCopy(this, setup, ask, effect, began).begin();
  }

  Ruling heard(Ask ask, Ruling ruling, long began) {
    if (listener != null) {
      listener.ruled(ask, ruling, System.nanoTime() - began);
      if (ruling instanceof Ruling.Unknown) {
        watchUnknowns(listener);
      }
    }
    return ruling;
  }

  private void watchUnknowns(GuardListener listener) {
    double share = store.unknownShare();
    if (share < ALARMING_SHARE) {
      alarmed.set(false);
    } else if (alarmed.compareAndSet(false, true)) {
      listener.unknownsPileUp(share);
    }
  }

  /**
   * The word of an operator (G3) on a request of {@link #unknowns}. {@link
   * Finding.CanNoLongerHappen} frees the id: the next copy of the request runs it.
   *
   * @param fence of the run that was looked into
   * @return whether it was taken; not, if the request was resolved or given to another run
   *     meanwhile
   * @throws IllegalArgumentException if retries could not be given this reply ({@link
   *     Builder#checkReply}); nothing is changed
   * @throws StoreUnavailableException if the store did not answer; saying it again is safe
   */
  public boolean resolve(GuardedId id, long fence, Finding finding) {
    if (finding instanceof Finding.Happened happened) {
      setup.checkReply().accept(id, happened.reply());
      return store.done(id, fence, setup.kept(happened.reply()));
    }
    return finding instanceof Finding.CanNoLongerHappen && store.release(id, fence);
  }

  /**
   * The requests whose fate nobody knows, the one that was started first in front.
   *
   * @throws StoreUnavailableException if the store did not answer
   */
  public List<UnknownRequest> unknowns(int atMost) {
    return store.unknowns(atMost);
  }

  /**
   * What is known of a request (O1). Decides nothing: a request that was never seen may be on its
   * way.
   *
   * @throws StoreUnavailableException if the store did not answer
   * @throws UnsupportedOperationException if the store cannot tell
   */
  public GuardedOutcome outcome(GuardedId id) {
    return store.outcome(id);
  }

  /**
   * Closes a request, unless it executed or may have (O2). After {@link GuardedAbandonment.Closed}
   * the same may be asked under a new id: every late copy of this one is refused as {@code
   * ABANDONED}.
   *
   * @throws StoreUnavailableException if the store did not answer; abandoning again is safe
   * @throws UnsupportedOperationException if the store cannot abandon
   */
  public GuardedAbandonment abandon(GuardedId id) {
    return store.abandon(id, setup.terms().retentionMillis());
  }

  /**
   * The caller has taken the reply and will not send this id again: the reply need not be kept
   * (K2). A copy that comes all the same is refused as {@code ACKNOWLEDGED}.
   *
   * @return whether there was a reply to drop
   * @throws StoreUnavailableException if the store did not answer; saying it again is safe
   * @throws UnsupportedOperationException if the store cannot release replies early
   */
  public boolean acknowledge(GuardedId id) {
    return store.acknowledge(id);
  }

  /**
   * How many records {@link #forget} would drop.
   *
   * @throws UnsupportedOperationException if the store cannot forget
   */
  public long countOlderThan(Instant started) {
    return store.countOlderThan(started);
  }

  /**
   * Drops what is known of requests that were started before this moment, whatever their retention,
   * but for those that are running or unknown (K4). Of the whole store, not only of this guard.
   *
   * @return how many
   * @throws UnsupportedOperationException if the store cannot forget
   */
  public long forget(Instant started) {
    return store.forget(started);
  }

  /** What survives: how the promise of this guard reads. */
  public ClaimStore.Durability durability() {
    return store.durability();
  }

  private void refuseIfClosed() {
    if (closed) {
      throw new IllegalStateException("the guard is closed");
    }
  }

  /** Refuses new requests. What is under way is run to its end and recorded. */
  @Override
  public void close() {
    closed = true;
    workers.close();
    if (ownsStore) {
      store.close();
    }
  }

  /** Sets up a {@link Guard}. */
  public static final class Builder {
    /** About 73 years: what is added to the monotonic clock must not run over. */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE / 4);

    private final @Nullable ClaimStore given;
    private Duration lease = Duration.ofSeconds(60);
    private Duration retention = Duration.ofHours(24);
    private Duration waitAtMost = Duration.ofSeconds(10);
    private Duration pollEvery = Duration.ofMillis(100);
    private Duration retryUnknownFor = Duration.ZERO;
    private int maxReplyBytes = 64 << 10;
    private Function<? super Throwable, Meaning> classify = any -> Meaning.UNKNOWN;
    private Function<? super Throwable, Bytes> businessReply =
        error -> Bytes.utf8(String.valueOf(error.getMessage()));
    private Predicate<? super Scope> datedOnly = any -> false;
    private @Nullable Probe probe;
    private BiConsumer<? super GuardedId, ? super Reply> checkReply = (id, reply) -> {};
    private @Nullable GuardListener listener;
    private @Nullable Executor executor;
    private StoreClock clock = StoreClock.SYSTEM;

    private Builder(@Nullable ClaimStore given) {
      this.given = given;
    }

    /**
     * How long a run may take before nobody knows what became of it. The effect's own time-out has
     * to be shorter. Default 60 s.
     */
    public Builder lease(Duration lease) {
      this.lease = checked("lease", lease, Duration.ofMillis(1));
      return this;
    }

    /** How long a decided request is remembered, from the decision on. Default 24 h. */
    public Builder retention(Duration retention) {
      this.retention = checked("retention", retention, Duration.ofMillis(1));
      return this;
    }

    /** How long a copy waits for another that is running. Default 10 s; zero does not wait. */
    public Builder waitAtMost(Duration waitAtMost) {
      this.waitAtMost = checked("waitAtMost", waitAtMost, Duration.ZERO);
      return this;
    }

    /**
     * How often the store is asked about a run in another process, and how soon it is tried again
     * when it did not take a completion. Constant. Default 100 ms.
     */
    public Builder pollEvery(Duration pollEvery) {
      this.pollEvery = checked("pollEvery", pollEvery, Duration.ofMillis(1));
      return this;
    }

    /**
     * The longest reply that is kept. Over it, the first caller and every retry are told {@code
     * REPLY_TOO_LARGE} (E9). The store may set a lower limit. Default 64 KiB.
     */
    public Builder maxReplyBytes(int maxReplyBytes) {
      if (maxReplyBytes < 1) {
        throw new IllegalArgumentException("maxReplyBytes is at least 1, got " + maxReplyBytes);
      }
      this.maxReplyBytes = maxReplyBytes;
      return this;
    }

    /**
     * What the exceptions of effects mean. Not asked about an {@link Error}. Default: every one
     * leaves the request unknown.
     */
    public Builder classify(Function<? super Throwable, Meaning> classify) {
      this.classify = Objects.requireNonNull(classify, "classify");
      return this;
    }

    /**
     * What is remembered of an exception that is a business error. Default: its message in UTF-8.
     */
    public Builder businessReply(Function<? super Throwable, Bytes> businessReply) {
      this.businessReply = Objects.requireNonNull(businessReply, "businessReply");
      return this;
    }

    /** Whom to ask about an unknown request, when a copy of it comes. Default: nobody. */
    public Builder probe(Probe probe) {
      this.probe = Objects.requireNonNull(probe, "probe");
      return this;
    }

    /**
     * Looks at the reply that an operator or a probe gives to an unknown request, before it is
     * remembered: throws an {@link IllegalArgumentException} if callers could not read it. The
     * operator is told so, a probe is taken for one that cannot tell. Default: everything is taken.
     */
    public Builder checkReply(BiConsumer<? super GuardedId, ? super Reply> checkReply) {
      this.checkReply = Objects.requireNonNull(checkReply, "checkReply");
      return this;
    }

    /**
     * Runs an unknown request again for so long after it was first started. Only for effects that
     * hand {@link Run#idempotencyKey} to an outside that keeps it for longer than this (G4).
     * Default: never.
     */
    public Builder retryUnknownFor(Duration retryUnknownFor) {
      this.retryUnknownFor = checked("retryUnknownFor", retryUnknownFor, Duration.ZERO);
      return this;
    }

    /**
     * Scopes that accept dated keys only (K5). An undated key there is refused as {@code UNDATED},
     * unless it was decided before: it would run again once it is forgotten. Default: none.
     */
    public Builder datedOnly(Predicate<? super Scope> datedOnly) {
      this.datedOnly = Objects.requireNonNull(datedOnly, "datedOnly");
      return this;
    }

    /** Hears of every ruling. Default: nobody. */
    public Builder listener(GuardListener listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * Where asynchronous requests talk to the store and to the probe, which may block. Default: a
     * few threads of the guard's own, or none at all if the store is memory and there is no probe.
     * With {@code Runnable::run} the caller's thread claims and begins the effect, and whoever
     * completes the effect records it.
     */
    public Builder executor(Executor executor) {
      this.executor = Objects.requireNonNull(executor, "executor");
      return this;
    }

    Builder clock(StoreClock clock) {
      this.clock = clock;
      return this;
    }

    /**
     * Makes it.
     *
     * @throws IllegalArgumentException if the lease is longer than the store allows
     */
    public Guard build() {
      if (given != null && lease.toMillis() > given.maxLeaseMillis()) {
        throw new IllegalArgumentException(
            "lease is at most "
                + Duration.ofMillis(given.maxLeaseMillis())
                + " in a "
                + given.getClass().getSimpleName()
                + ", got "
                + lease);
      }
      return new Guard(this);
    }

    private ClaimStore store() {
      return given != null ? given : MemoryStore.builder().maxReplyBytes(maxReplyBytes).build();
    }

    private GuardSetup setup(ClaimStore store) {
      return new GuardSetup(
          store,
          store.durability() == ClaimStore.Durability.PROCESS,
          new ConcurrentHashMap<>(),
          new ClaimTerms(lease.toMillis(), retention.toMillis()),
          lease.truncatedTo(ChronoUnit.MILLIS),
          waitAtMost.toNanos(),
          pollEvery,
          Math.min(maxReplyBytes, store.maxReplyBytes()),
          retryUnknownFor.toMillis(),
          classify,
          businessReply,
          probe,
          checkReply,
          datedOnly,
          clock);
    }

    static Duration checked(String name, Duration duration, Duration atLeast) {
      if (duration.compareTo(atLeast) < 0) {
        throw new IllegalArgumentException(name + " is at least " + atLeast + ", got " + duration);
      }
      return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    }
  }
}
