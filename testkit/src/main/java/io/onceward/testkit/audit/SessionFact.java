package io.onceward.testkit.audit;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.replica.Request;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is known of one session from the decisions about it. */
public final class SessionFact {
  /** Sessions are examined in steps of this much age, so that one may outlive its time a little. */
  private static final long EXPIRY_STEP_MILLIS = 1_024;

  final long session;
  final String principal;
  final ClientKind kind;
  final String name;

  private record InLife(long life, long sequence) {}

  private final Map<InLife, Effect> ever = new HashMap<>();
  private final TreeMap<Long, Effect> executed = new TreeMap<>();
  private final TreeMap<Long, Boolean> abandoned = new TreeMap<>();
  private final Set<Long> clusterTags = new HashSet<>();
  private long incarnation;
  private long nonceHigh;
  private long nonceLow;
  private long watermark = 1;
  private long frontier = 1;
  private int window;
  private boolean ordered;
  private boolean gone;
  private long expiryMillis;
  private long earliestEnd;
  private long latestEnd;

  SessionFact(String principal, Request.Open open, Decision.Opened opened) {
    this.session = opened.session();
    this.principal = principal;
    this.kind = open.kind();
    this.name = open.name();
  }

  /** An opening was decided: the first one, a later one, or a copy of either. */
  void opened(
      Request.Open open, Decision.Opened opened, long clusterTag, long age, long expiryMillis) {
    clusterTags.add(clusterTag);
    boolean again = incarnation == opened.incarnation();
    if (!again && incarnation != 0) {
      if (kind == ClientKind.AUTO) {
        executed.clear();
        abandoned.clear();
        watermark = 1;
        frontier = 1;
      } else if (!open.fromJournal()) {
        abandonHoles();
      }
    }
    incarnation = opened.incarnation();
    nonceHigh = open.nonceHigh();
    nonceLow = open.nonceLow();
    window = opened.window();
    ordered = opened.ordered();
    active(age, expiryMillis);
  }

  private void abandonHoles() {
    for (long sequence = frontier; sequence < nextSequence(); sequence++) {
      if (!decided(sequence)) {
        abandoned.put(sequence, true);
      }
    }
    moveFrontier();
  }

  void active(long age, long expiryMillis) {
    this.expiryMillis = expiryMillis;
    earliestEnd = age + expiryMillis;
    latestEnd = earliestEnd;
  }

  /** A shorter expiry counts from now; a longer one as if it had always been, unless it is late. */
  void expiryChanged(long age, long millis) {
    long longer = millis - expiryMillis;
    expiryMillis = millis;
    if (longer < 0) {
      earliestEnd = Math.min(earliestEnd, age + millis);
      latestEnd = Math.min(latestEnd, age + millis);
      return;
    }
    if (!mayHaveExpired(age)) {
      earliestEnd += longer;
    }
    if (!mustHaveExpired(age)) {
      latestEnd += longer;
    }
  }

  void executed(long sequence, Effect effect) {
    executed.put(sequence, effect);
    ever.put(new InLife(life(incarnation), sequence), effect);
    moveFrontier();
  }

  void abandoned(long sequence) {
    abandoned.put(sequence, true);
    moveFrontier();
  }

  void carried(long carriedWatermark) {
    watermark = Math.max(watermark, carriedWatermark);
    moveFrontier();
  }

  private void moveFrontier() {
    frontier = Math.max(frontier, watermark);
    while (decided(frontier)) {
      frontier++;
    }
  }

  void ended() {
    gone = true;
  }

  public long incarnation() {
    return incarnation;
  }

  /** Whether one of its openings was decided while the cluster had this tag. */
  boolean wasOpenedIn(long clusterTag) {
    return clusterTags.contains(clusterTag);
  }

  /** What its current incarnation was opened with. */
  List<Long> nonce() {
    return List.of(nonceHigh, nonceLow);
  }

  boolean openedWith(Request.Open open) {
    return nonceHigh == open.nonceHigh() && nonceLow == open.nonceLow();
  }

  long watermark() {
    return watermark;
  }

  /** The first sequence that is neither executed nor abandoned. */
  long frontier() {
    return frontier;
  }

  /** One above the highest sequence that was ever decided. */
  long nextSequence() {
    long next = watermark;
    if (!executed.isEmpty()) {
      next = Math.max(next, executed.lastKey() + 1);
    }
    return abandoned.isEmpty() ? next : Math.max(next, abandoned.lastKey() + 1);
  }

  int window() {
    return window;
  }

  boolean ordered() {
    return ordered;
  }

  boolean decided(long sequence) {
    return executed.containsKey(sequence) || abandoned.containsKey(sequence);
  }

  @Nullable Effect effect(long sequence) {
    return executed.get(sequence);
  }

  /** The execution of a sequence in the life of this incarnation, which may be over. */
  @Nullable Effect effectIn(long incarnation, long sequence) {
    return ever.get(new InLife(life(incarnation), sequence));
  }

  /** Each incarnation of an auto name begins anew; those of other kinds share their sequences. */
  private long life(long incarnation) {
    return kind == ClientKind.AUTO ? incarnation : 0;
  }

  boolean isAbandoned(long sequence) {
    return abandoned.containsKey(sequence);
  }

  /** Closed, or refused as gone at least once: it can never come back. */
  boolean gone() {
    return gone;
  }

  /** Whether the session has been idle long enough that it may be gone. */
  boolean mayHaveExpired(long age) {
    return age >= earliestEnd;
  }

  /** Whether the session has been idle for so long that it must be gone. */
  boolean mustHaveExpired(long age) {
    return age > latestEnd + EXPIRY_STEP_MILLIS;
  }

  /** Whether the promise to remember it still holds. */
  boolean promised(long age) {
    return !gone && !mayHaveExpired(age);
  }
}
