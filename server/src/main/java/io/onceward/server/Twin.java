package io.onceward.server;

import io.onceward.Fingerprint;
import io.onceward.Key;
import io.onceward.Scope;
import io.onceward.replica.Request;
import org.jspecify.annotations.Nullable;

/**
 * What two copies must have in common for one to wait for the other (E4): principal, incarnation,
 * id and fingerprint. Anything less is judged in the log.
 */
sealed interface Twin {
  record OfSequence(
      String principal, Request.Address address, long sequence, @Nullable Fingerprint fingerprint)
      implements Twin {}

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
