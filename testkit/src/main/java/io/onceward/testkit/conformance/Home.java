package io.onceward.testkit.conformance;

import io.onceward.Fingerprint;
import io.onceward.Scope;
import io.onceward.guard.GuardedId;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A home as the scripts see it: something that remembers requests and has effects. Answers are
 * words, made by {@link Words}, so that every home says the same in the same way.
 */
public interface Home extends AutoCloseable {

  /**
   * Sends one copy of a request and waits for what is said of it.
   *
   * @param wish what the effect is to do; a home passes it to its {@link Effects}
   */
  String submit(GuardedId id, @Nullable Fingerprint fingerprint, String wish);

  /** What became of a request (O1). */
  String outcome(GuardedId id);

  /** Closes a request unless it executed (O2). */
  String abandon(GuardedId id);

  /** The reply was taken and the id will not be sent again (K2). */
  String acknowledge(GuardedId id);

  /**
   * An operator's word on a request that is unknown (G3): what it answered, or {@code nothing}.
   *
   * @return whether it was taken; not, if it is not unknown
   * @throws UnsupportedOperationException if nothing stays unknown in this home
   */
  default boolean resolve(GuardedId id, String word) {
    throw new UnsupportedOperationException("nothing stays unknown in this home");
  }

  /** From now on a scope takes new requests with dated keys only (K5). */
  void datedOnly(Scope scope);

  /** How many requests {@link #forget} would drop. */
  long countOlderThan(Instant moment);

  /** Drops what is known of requests that arrived before a moment of this home's clock (K4). */
  long forget(Instant moment);

  /** What this home's clock shows. */
  Instant now();

  /**
   * Lets time pass in which the home is at work, and drops what has run out then (K3).
   *
   * @throws UnsupportedOperationException if this home lives by a clock that nobody moves
   */
  void pass(Duration time);

  /** Lets time pass in which the home is down. */
  void outage(Duration time);

  /** How often the effect of this wish took place and was not undone. */
  int effects(String wish);

  @Override
  void close();
}
