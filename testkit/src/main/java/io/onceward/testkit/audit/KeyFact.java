package io.onceward.testkit.audit;

import io.onceward.Key;
import org.jspecify.annotations.Nullable;

/** What is known of one record of a key: from its arrival until it may be dropped. */
public final class KeyFact {
  /** Records are dropped in steps of this much age, so that one may outlive its time a little. */
  private static final long RETENTION_STEP_MILLIS = 256;

  final String scope;
  final Key key;
  final long arrivedPosition;
  final long arrivedAge;
  final long arrivedMillis;
  final long retentionMillis;
  private final @Nullable Effect effect;
  private boolean acknowledged;
  private long forgottenPosition = Long.MAX_VALUE;

  /** A record that arrives now; without an effect it was abandoned. */
  KeyFact(Judged copy, String scope, Key key, @Nullable Effect effect, long retentionMillis) {
    this.scope = scope;
    this.key = key;
    this.arrivedPosition = copy.position();
    this.arrivedAge = copy.ageMillis();
    this.arrivedMillis = copy.timeMillis();
    this.retentionMillis = retentionMillis;
    this.effect = effect;
  }

  /** The execution, or null if the key was abandoned before it executed. */
  @Nullable Effect effect() {
    return effect;
  }

  boolean acknowledged() {
    return acknowledged;
  }

  boolean abandoned() {
    return effect == null;
  }

  void acknowledge() {
    acknowledged |= effect != null;
  }

  /** Whether a forget with this bound takes the record (K4). */
  boolean olderThan(long beforeMillis) {
    return Math.floorDiv(arrivedMillis, RETENTION_STEP_MILLIS)
        < Math.floorDiv(beforeMillis, RETENTION_STEP_MILLIS);
  }

  /** Whether a forget by age with this bound takes the record (K4), in steps of its retention. */
  boolean arrivedBeforeAge(long beforeAge) {
    return Math.floorDiv(arrivedAge + retentionMillis, RETENTION_STEP_MILLIS)
        < Math.floorDiv(beforeAge + retentionMillis, RETENTION_STEP_MILLIS);
  }

  void forget(long position) {
    forgottenPosition = position;
  }

  private boolean forgotten() {
    return forgottenPosition != Long.MAX_VALUE;
  }

  /** Whether the promise to remember it still holds (K3). */
  boolean promised(long age) {
    return !forgotten() && age < arrivedAge + retentionMillis;
  }

  /**
   * Whether the promise surely held on a node that had applied this position.
   *
   * @param age now, which was no more then
   */
  boolean promisedAt(long position, long age) {
    return position < forgottenPosition && age < arrivedAge + retentionMillis;
  }

  /** The age from which on the record is surely dropped. */
  long surelyDroppedAge() {
    return arrivedAge + retentionMillis + 2 * RETENTION_STEP_MILLIS;
  }

  boolean surelyDropped(long age) {
    return forgotten() || age >= surelyDroppedAge();
  }
}
