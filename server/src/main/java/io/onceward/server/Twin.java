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
 *
 * <p>Each carries its hash, computed once with the secret of this node: a client chooses every bit
 * of its ids, and must not be able to choose ids that collide (L2).
 */
sealed interface Twin {
  /** Hot: called three times per request; the generated methods are slower. */
  record OfSequence(
      int hash,
      String principal,
      Request.Address address,
      long sequence,
      @Nullable Fingerprint fingerprint)
      implements Twin {

    @Override
    public int hashCode() {
      return hash;
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

  record OfKey(int hash, String principal, Scope scope, Key key, @Nullable Fingerprint fingerprint)
      implements Twin {
    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof OfKey that
          && key.equals(that.key)
          && scope.equals(that.scope)
          && principal.equals(that.principal)
          && Objects.equals(fingerprint, that.fingerprint);
    }
  }

  /**
   * A request that executes nothing and does the same however often it is applied, as an opening
   * does because of its nonce (S1). Without this, clients that send again what a slow log has not
   * decided yet would make it slower still.
   */
  record OfFrame(int hash, String principal, Bytes frame) implements Twin {
    @Override
    public boolean executes() {
      return false;
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof OfFrame that
          && principal.equals(that.principal)
          && frame.equals(that.frame);
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
  static @Nullable Twin of(SeededHash hash, String principal, Request request, Bytes frame) {
    if (request instanceof Request.InSession r) {
      Request.Address address = r.address();
      int hashed =
          hash.add(address.session())
              .add(address.incarnation())
              .add(address.clusterTag())
              .add(r.sequence())
              .add(r.fingerprint())
              .add(principal.hashCode())
              .end();
      return new OfSequence(hashed, principal, address, r.sequence(), r.fingerprint());
    }
    if (request instanceof Request.Keyed r) {
      int hashed =
          hash.add(r.key().high())
              .add(r.key().low())
              .add(r.key().kind().code())
              .add(r.scope().name())
              .add(r.fingerprint())
              .add(principal.hashCode())
              .end();
      return new OfKey(hashed, principal, r.scope(), r.key(), r.fingerprint());
    }
    boolean harmless =
        request instanceof Request.KeepAlive
            || request instanceof Request.Open
            || request instanceof Request.Acknowledge
            || request instanceof Request.AbandonSequence
            || request instanceof Request.AbandonKey
            || request instanceof Request.Close;
    return harmless
        ? new OfFrame(hash.add(frame).add(principal.hashCode()).end(), principal, frame)
        : null;
  }
}
