package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Request;
import org.jspecify.annotations.Nullable;

/** A message of a session, and how its address stands to what is known of that session. */
record Speech(Request.Address address, @Nullable SessionFact fact, boolean foreign) {

  /** Null if the copy is no message of a session. */
  static @Nullable Speech of(Judged copy, Ledger ledger) {
    Request.Address address = address(copy.request());
    if (address == null) {
      return null;
    }
    SessionFact fact = ledger.sessions().of(address.session());
    boolean foreign =
        fact == null
            || address.clusterTag() != ledger.clusterId().tag()
            || !fact.principal.equals(copy.principal());
    return new Speech(address, fact, foreign);
  }

  private static Request.@Nullable Address address(@Nullable Request request) {
    if (request instanceof Request.InSession ask) {
      return ask.address();
    }
    if (request instanceof Request.KeepAlive ask) {
      return ask.address();
    }
    if (request instanceof Request.Close ask) {
      return ask.address();
    }
    return request instanceof Request.AbandonSequence ask ? ask.address() : null;
  }

  /** The session as far as the speaker may know it: null to strangers. */
  @Nullable SessionFact own() {
    return foreign ? null : fact;
  }

  boolean superseded() {
    return !foreign && fact != null && address.incarnation() < fact.incarnation();
  }

  boolean current() {
    return !foreign && fact != null && address.incarnation() == fact.incarnation();
  }

  static boolean refusedAs(Judged copy, Refusal refusal) {
    return copy.decision() instanceof Decision.Refused refused && refused.refusal() == refusal;
  }
}
