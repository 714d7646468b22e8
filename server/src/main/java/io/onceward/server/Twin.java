package io.onceward.server;

import io.onceward.Bytes;
import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.Request;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What two copies must have in common for one to wait for the other (E4): principal, incarnation,
 * id and fingerprint. Anything less is judged in the log.
 */
sealed interface Twin {
  record OfSequence(
      String principal, Request.Address address, long sequence, @Nullable Fingerprint fingerprint)
      implements Twin {

    /**
     * By hand, because it is asked three times for each request, and what a record makes is slow.
     */
    @Override
    public int hashCode() {
      long mixed = (address.session() * 0x9E3779B97F4A7C15L + sequence) * 0xC2B2AE3D27D4EB4FL;
      return (int) (mixed >>> 32);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof OfSequence that
          && sequence == that.sequence
          && address.session() == that.address.session()
          && address.incarnation() == that.address.incarnation()
          && address.clusterTag() == that.address.clusterTag()
          && principal.equals(that.principal)
          && Objects.equals(fingerprint, that.fingerprint);
    }
  }

  record OfKey(String principal, Scope scope, Key key, @Nullable Fingerprint fingerprint)
      implements Twin {}

  /**
   * A request that executes nothing and does the same however often it is applied. Without this,
   * clients that send again what a slow log has not decided yet would make it slower still.
   */
  record OfFrame(String principal, Bytes frame) implements Twin {
    @Override
    public boolean executes() {
      return false;
    }
  }

  /** Whether a reply will have to be remembered. */
  default boolean executes() {
    return true;
  }

  /**
   * Null for requests that are never coalesced: those without an id, and settings, of which a later
   * copy may be meant to undo what was set in between.
   */
  static @Nullable Twin of(String principal, Request request, Bytes frame) {
    if (request instanceof Request.InSession r) {
      return new OfSequence(principal, r.address(), r.sequence(), r.fingerprint());
    }
    if (request instanceof Request.Keyed r) {
      return new OfKey(principal, r.scope(), r.key(), r.fingerprint());
    }
    boolean harmless =
        request instanceof Request.KeepAlive
            || request instanceof Request.Acknowledge
            || request instanceof Request.AbandonSequence
            || request instanceof Request.AbandonKey
            || request instanceof Request.Close;
    return harmless ? new OfFrame(principal, frame) : null;
  }
}
