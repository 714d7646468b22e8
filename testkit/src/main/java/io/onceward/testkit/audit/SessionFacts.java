package io.onceward.testkit.audit;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Refusal;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known of all sessions that were ever opened. */
public final class SessionFacts {
  private final Map<Long, SessionFact> bySession = new LinkedHashMap<>();
  private final Map<String, SessionFact> byName = new LinkedHashMap<>();
  private final Map<String, SessionFact> byNonce = new LinkedHashMap<>();

  @Nullable SessionFact of(long session) {
    return bySession.get(session);
  }

  Id id(Request.Address address, long sequence) {
    SessionFact fact = bySession.get(address.session());
    boolean auto = fact != null && fact.kind == ClientKind.AUTO;
    return new Id.InSession(address.session(), auto ? address.incarnation() : 0, sequence);
  }

  /** The session that this opening, or the retried one it is a copy of, would find. */
  @Nullable SessionFact foundBy(String principal, Request.Open open) {
    return open.kind() == ClientKind.REGISTERED
        ? byNonce.get(nonce(principal, open))
        : byName.get(name(principal, open));
  }

  void opened(
      Judged copy, Request.Open open, Decision.Opened opened, long clusterTag, Settings settings) {
    SessionFact fact = bySession.get(opened.session());
    if (fact == null) {
      fact = new SessionFact(copy.principal(), open, opened);
      bySession.put(opened.session(), fact);
      SessionFact earlier =
          open.kind() == ClientKind.REGISTERED
              ? byNonce.put(nonce(copy.principal(), open), fact)
              : byName.put(name(copy.principal(), open), fact);
      if (earlier != null) {
        earlier.ended();
      }
    }
    fact.opened(open, opened, clusterTag, copy.ageMillis(), expiryMillis(fact.kind, settings));
  }

  /** A message of a session was decided; what it was told shows how far it came. */
  void spoke(Judged copy, Request.Address address, long clusterTag, Settings settings) {
    SessionFact fact = bySession.get(address.session());
    if (fact == null
        || address.clusterTag() != clusterTag
        || !copy.principal().equals(fact.principal)) {
      return;
    }
    if (copy.decision() instanceof Decision.Refused refused) {
      if (refused.refusal() == Refusal.NO_SESSION) {
        if (address.incarnation() <= fact.incarnation()) {
          fact.ended();
        }
        return;
      }
      if (refused.refusal() == Refusal.SUPERSEDED || refused.refusal() == Refusal.MALFORMED) {
        return;
      }
    }
    fact.active(copy.ageMillis(), expiryMillis(fact.kind, settings));
    decided(fact, copy);
  }

  private static void decided(SessionFact fact, Judged copy) {
    boolean badWatermark =
        copy.decision() instanceof Decision.Refused refused
            && refused.refusal() == Refusal.BAD_WATERMARK;
    if (copy.request() instanceof Request.InSession ask) {
      if (!badWatermark) {
        fact.carried(ask.watermark());
      }
      if (copy.decision() instanceof Decision.Replied replied && !replied.replay()) {
        fact.executed(ask.sequence(), Effect.of(copy, replied, ask.fingerprint()));
      }
    } else if (copy.request() instanceof Request.KeepAlive ask && !badWatermark) {
      fact.carried(ask.watermark());
    } else if (copy.request() instanceof Request.AbandonSequence ask
        && copy.decision() instanceof Decision.Abandoned) {
      fact.abandoned(ask.sequence());
    } else if (copy.request() instanceof Request.Close) {
      fact.ended();
    }
  }

  void expiryChanged(long age, Settings settings) {
    for (SessionFact fact : bySession.values()) {
      fact.expiryChanged(age, expiryMillis(fact.kind, settings));
    }
  }

  private static long expiryMillis(ClientKind kind, Settings settings) {
    return settings.of(
        kind == ClientKind.DURABLE
            ? Parameter.DURABLE_EXPIRY_MILLIS
            : Parameter.SESSION_EXPIRY_MILLIS);
  }

  private static String nonce(String principal, Request.Open open) {
    return open.nonceHigh() + ":" + open.nonceLow() + ":" + principal;
  }

  private static String name(String principal, Request.Open open) {
    return open.kind().code() + ":" + open.name() + ":" + principal;
  }
}
