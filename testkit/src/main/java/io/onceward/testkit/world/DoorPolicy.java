package io.onceward.testkit.world;

import io.onceward.Decision;
import io.onceward.Fingerprint;
import io.onceward.replica.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a leader does on its own account, before or without the log. As written here it is honest; a
 * planted bug overrides a method.
 */
public interface DoorPolicy {
  DoorPolicy HONEST = new DoorPolicy() {};

  /** Requests are the same only if all of this is equal (E4). */
  record Twin(String principal, Object id, @Nullable Fingerprint fingerprint) {}

  /** Copies with equal twins share one place in the log. Null: never the twin of another. */
  default @Nullable Twin twin(Ask.Copy copy) {
    if (copy.request() instanceof Request.InSession ask) {
      return new Twin(copy.principal(), List.of(ask.address(), ask.sequence()), ask.fingerprint());
    }
    if (copy.request() instanceof Request.Keyed ask) {
      return new Twin(copy.principal(), List.of(ask.scope(), ask.key()), ask.fingerprint());
    }
    return null;
  }

  /** What a copy is told that is not logged at all; null to log it. */
  default @Nullable Decision withoutLog(Ask.Copy copy, StateMachine machine) {
    return null;
  }

  /** What a copy is told at once when its entry is proposed; null to wait until it is applied. */
  default @Nullable Decision beforeCommit(
      Ask.Copy copy, StateMachine machine, long position, long term, byte[] entry, int ordinal) {
    return null;
  }

  /** Whether a leader that is deposed forgets who waits for what. */
  default boolean forgetsTwins() {
    return true;
  }

  /** Whether reads are served without a majority's word that this node still leads. */
  default boolean readsAtOnce() {
    return false;
  }

  /** What a copy is told that the engine gave up on; null for nothing, which is the truth (O3). */
  default @Nullable Decision whenLost(Ask.Copy copy) {
    return null;
  }
}
