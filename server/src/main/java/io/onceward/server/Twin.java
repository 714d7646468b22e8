package io.onceward.server;

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

  /** Null for requests that are never coalesced. */
  static @Nullable Twin of(String principal, Request request) {
    if (request instanceof Request.InSession r) {
      return new OfSequence(principal, r.address(), r.sequence(), r.fingerprint());
    }
    if (request instanceof Request.Keyed r) {
      return new OfKey(principal, r.scope(), r.key(), r.fingerprint());
    }
    return null;
  }
}
