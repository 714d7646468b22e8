package io.onceward.testkit.conformance;

import io.onceward.Fingerprint;
import io.onceward.Scope;
import io.onceward.guard.Ask;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.Finding;
import io.onceward.guard.Guard;
import io.onceward.guard.GuardedId;
import io.onceward.guard.GuardedOutcome;
import io.onceward.guard.Meaning;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The guard on any store; its effects are outside, so nothing undoes them. */
public final class GuardHome implements Home {
  /** The clock that the store lives by, which the test moves. */
  public interface Clock {
    /** What it shows. */
    Instant now();

    /** Moves it on while the store is at work and swept. */
    void pass(Duration time);

    /** Moves it on while the store is down. */
    void outage(Duration time);
  }

  /** A clock that nobody moves. */
  private static final class RealClock implements Clock {
    @Override
    public Instant now() {
      return Instant.now();
    }

    @Override
    public void pass(Duration time) {
      throw new UnsupportedOperationException("nobody moves the clock of this home");
    }

    @Override
    public void outage(Duration time) {
      pass(time);
    }
  }

  /** The true time. No script can be played with it in which time passes. */
  public static final Clock REAL_CLOCK = new RealClock();

  private final Map<String, Integer> effects = new ConcurrentHashMap<>();
  private final ClaimStore store;
  private final Clock clock;
  private final Consumer<? super Scope> datedOnly;
  private final Set<Scope> datedOnlyHere = ConcurrentHashMap.newKeySet();
  private final Guard guard;

  /** The store is closed with this home, and lives by the true time. */
  public GuardHome(ClaimStore store) {
    this(store, REAL_CLOCK, null);
  }

  /**
   * The store is closed with this home.
   *
   * @param datedOnly sets it in the store; null if only the guard can be told
   */
  public GuardHome(ClaimStore store, Clock clock, @Nullable Consumer<? super Scope> datedOnly) {
    this.store = store;
    this.clock = clock;
    this.datedOnly = datedOnly == null ? datedOnlyHere::add : datedOnly;
    this.guard =
        Guard.on(store)
            .datedOnly(datedOnlyHere::contains)
            .classify(
                thrown ->
                    thrown instanceof Wish.NothingHappened
                        ? Meaning.DID_NOT_HAPPEN
                        : Meaning.UNKNOWN)
            .build();
  }

  @Override
  public String submit(GuardedId id, @Nullable Fingerprint fingerprint, String wish) {
    return Words.ruling(
        guard.decide(
            new Ask(id, fingerprint, "wish"),
            run -> {
              Wish wished = Wish.of(wish);
              if (wished.takesEffect()) {
                effects.merge(wish, 1, Integer::sum);
              }
              if (wished.isLate()) {
                outliveTheLease(id);
              }
              return wished.reply();
            }));
  }

  private void outliveTheLease(GuardedId id) {
    clock.pass(Duration.ofHours(1));
    GuardedOutcome between = guard.outcome(id);
    if (!(between instanceof GuardedOutcome.Unknown)) {
      throw new IllegalStateException("not unknown after its lease, but " + between);
    }
  }

  @Override
  public boolean resolve(GuardedId id, String word) {
    Finding finding =
        word.equals("nothing")
            ? new Finding.CanNoLongerHappen()
            : new Finding.Happened(Wish.of(word).reply());
    return guard.outcome(id) instanceof GuardedOutcome.Unknown unknown
        && guard.resolve(id, unknown.request().fence(), finding);
  }

  @Override
  public String outcome(GuardedId id) {
    return Words.outcome(guard.outcome(id));
  }

  @Override
  public String abandon(GuardedId id) {
    return Words.abandoned(guard.abandon(id));
  }

  @Override
  public String acknowledge(GuardedId id) {
    guard.acknowledge(id);
    return "done";
  }

  @Override
  public void datedOnly(Scope scope) {
    datedOnly.accept(scope);
  }

  @Override
  public long countOlderThan(Instant moment) {
    return guard.countOlderThan(moment);
  }

  @Override
  public long forget(Instant moment) {
    return guard.forget(moment);
  }

  @Override
  public Instant now() {
    return clock.now();
  }

  @Override
  public void pass(Duration time) {
    clock.pass(time);
  }

  @Override
  public void outage(Duration time) {
    clock.outage(time);
  }

  @Override
  public int effects(String wish) {
    return effects.getOrDefault(wish, 0);
  }

  @Override
  public void close() {
    guard.close();
    store.close();
  }
}
