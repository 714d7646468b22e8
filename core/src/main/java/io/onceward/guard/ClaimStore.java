package io.onceward.guard;

import io.onceward.Reply;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the guard remembers: {@code STARTED → DONE | UNKNOWN}, with a lease and a fencing number
 * (G2, G3). A record is one of
 *
 * <ul>
 *   <li>{@code STARTED}: a run holds the lease;
 *   <li>{@code DONE}: decided, with its reply;
 *   <li>{@code UNKNOWN}: the lease ended, or the run said that it does not know;
 *   <li>{@code RELEASED}: the run did not happen; the next claim starts a new one;
 *   <li>{@code ACKNOWLEDGED}: decided, and its reply was taken and dropped;
 *   <li>{@code ABANDONED}: it did not happen and will not.
 * </ul>
 *
 * <p>What always holds: each method is one atomic step, seen by every process that shares the
 * store, and durable when it returns if the store is. Time is the store's own, never the caller's.
 * {@code STARTED} and {@code UNKNOWN} records are never dropped; the others are, after their
 * retention, and a dated key at or before the greatest date that was dropped is refused as {@code
 * FORGOTTEN} (K5). A record that is past its retention but not swept yet still counts. A store that
 * is full refuses new claims as {@code OVERLOADED} and goes on serving everything it has promised
 * (G1).
 *
 * <p>A fence names one run of a request, for ever. It grows by one with each run after the first.
 * The first run after nothing was dropped has 1. An undated key may start anew after its record was
 * dropped, while a straggler of a run before that is still about; so the fence of a first run is by
 * at least two greater than that of any undated record that the store has ever dropped. By two,
 * because one more is what a re-run would have been given, and a caller tells by it whether its
 * request was run again or had been dropped.
 *
 * <p>Every method may throw {@link StoreUnavailableException}: then nobody knows whether the step
 * was taken, and taking it again is safe. Stores are thread-safe.
 */
public interface ClaimStore extends AutoCloseable {
  /** What is kept of the reason why a request is unknown. */
  int MAX_WHY_CHARACTERS = 1_024;

  /**
   * The limit that a refused claim names when unknown requests have taken their share: the way out
   * is to resolve some ({@link #unknowns}).
   */
  String UNKNOWN_REQUESTS = "unknown requests";

  /** So many different pieces of evidence are kept of each request. */
  int EVIDENCE_AT_LEAST = 8;

  /**
   * Claims a request, or tells what is known of it. Looks the id up before anything else (E1), then
   * compares fingerprints (E7), whatever the state of the record: other bits are a {@code
   * MISMATCH}, and so is a fingerprint where there was none before; a caller without one is not
   * checked. A started request whose lease is over becomes {@code UNKNOWN} in this step.
   *
   * @throws StoreUnavailableException if the answer was lost; a claim that was taken and not heard
   *     of ends as {@code UNKNOWN} with its lease
   */
  Claimed claim(Ask ask, ClaimTerms terms);

  /**
   * What the store can tell at once and without waiting for anything, or null if it would have to
   * claim: a shortcut for replays in stores that live in this process.
   */
  default @Nullable Claimed glance(Ask ask) {
    return null;
  }

  /**
   * The run ended with this reply. Taken from {@code STARTED} and {@code UNKNOWN} if the fence is
   * the current one; the same completion again is taken again. Otherwise refused and kept as {@link
   * Evidence}.
   *
   * @return whether it was taken
   */
  boolean done(GuardedId id, long fence, Reply reply);

  /**
   * The run does not know what it did. Moves {@code STARTED} to {@code UNKNOWN} if the fence is the
   * current one.
   *
   * @param why for people; cut to {@link #MAX_WHY_CHARACTERS}
   * @return whether the request is unknown now, with this fence
   */
  boolean unknown(GuardedId id, long fence, String why);

  /**
   * The run did not happen and cannot any more: the next claim starts a new run. Taken from {@code
   * STARTED} and {@code UNKNOWN} if the fence is the current one; the same release again is taken
   * again.
   *
   * @return whether it was taken
   */
  boolean release(GuardedId id, long fence);

  /**
   * Starts an unknown request again, under a greater fence, if it is still unknown with this one;
   * else tells what is known now, as {@link #claim} does.
   */
  Claimed rerun(Ask ask, long fence, ClaimTerms terms);

  /**
   * The unknown requests, the one that was started first in front, with lapsed leases among them.
   */
  List<UnknownRequest> unknowns(int atMost);

  /**
   * How much of their share of the store unknown requests have taken: 1 when new ones begin to be
   * refused for them. Answers at once and without waiting for anything; 0 if the store sets them no
   * limit, or cannot tell so.
   */
  default double unknownShare() {
    return 0;
  }

  /**
   * Completions of this request that were refused, in the order in which they arrived. The same one
   * again need not be kept again, and beyond {@link #EVIDENCE_AT_LEAST} of a request a store may
   * drop later ones. Gone with the record.
   */
  List<Evidence> evidence(GuardedId id);

  /**
   * Drops records past their retention, oldest first.
   *
   * @return how many; fewer than asked for if there are no more
   */
  int sweep(int atMost);

  /**
   * What is known of a request (O1).
   *
   * @throws UnsupportedOperationException if this store cannot tell
   */
  default GuardedOutcome outcome(GuardedId id) {
    throw unsupported("tell outcomes");
  }

  /**
   * Closes a request that did not take effect: from nothing and from {@code RELEASED} it becomes
   * {@code ABANDONED}, for this retention, and every claim is refused so, whatever its fingerprint
   * (O2).
   *
   * @throws UnsupportedOperationException if this store cannot abandon
   */
  default GuardedAbandonment abandon(GuardedId id, long retentionMillis) {
    throw unsupported("abandon");
  }

  /**
   * Drops the reply of a decided request, which its caller has taken: from {@code DONE} it becomes
   * {@code ACKNOWLEDGED} for as long as the record would have stayed, and claims are refused so
   * (K2). Leaves nothing behind of an id that is not known.
   *
   * @return whether there was a reply to drop
   * @throws UnsupportedOperationException if this store cannot release replies early
   */
  default boolean acknowledge(GuardedId id) {
    throw unsupported("release replies early");
  }

  /**
   * How many records {@link #forget} would drop.
   *
   * @throws UnsupportedOperationException if this store cannot forget
   */
  default long countOlderThan(Instant started) {
    throw unsupported("forget");
  }

  /**
   * Drops the records of requests that were started before this moment, by the store's clock,
   * whatever their retention; not those that are started or unknown (K4). Dated keys are refused as
   * {@code FORGOTTEN} from then on, undated ones run again.
   *
   * @return how many
   * @throws UnsupportedOperationException if this store cannot forget
   */
  default long forget(Instant started) {
    throw unsupported("forget");
  }

  private UnsupportedOperationException unsupported(String what) {
    return new UnsupportedOperationException(getClass().getSimpleName() + " does not " + what);
  }

  /**
   * The longest reply that the store can keep. Over it the guard keeps the fact that the request
   * executed, without the reply (E9).
   */
  default int maxReplyBytes() {
    return Integer.MAX_VALUE;
  }

  /** How the promise of a guard on this store reads. */
  Durability durability();

  /** What survives. */
  enum Durability {
    /** Memory of this process: a restart forgets, and a retry after it executes again. */
    PROCESS,
    /** Outlives every process that uses it. */
    DURABLE
  }

  /** Gives back what the store itself opened. Nothing that it promised is lost. */
  @Override
  void close();
}
