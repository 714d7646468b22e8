package io.onceward.replica;

import io.onceward.Decision;
import io.onceward.Decision.Done;
import io.onceward.Decision.Refused;
import io.onceward.Decision.Rejected;
import io.onceward.Refusal;
import java.time.Instant;

/**
 * Decides the requests that execute nothing: opening and closing, keeping alive, acknowledging,
 * abandoning, and an administrator's settings.
 */
final class Administration {
  static final Decision QUARANTINED =
      new Rejected("an operator has quarantined this request: it changed nothing");

  private final Replica replica;

  Administration(Replica replica) {
    this.replica = replica;
  }

  Decision decide(Principal who, Request request, long incarnation) {
    if (request instanceof Request.KeepAlive r) {
      return isForeign(r.address())
          ? new Refused(Refusal.NO_SESSION)
          : replica.sessions.keepAlive(who, r.address(), r.watermark());
    }
    if (request instanceof Request.Open r) {
      return replica.sessions.open(who, r, incarnation, replica.clusterId().tag());
    }
    if (request instanceof Request.Close r) {
      return isForeign(r.address())
          ? new Refused(Refusal.NO_SESSION)
          : replica.sessions.close(who, r.address());
    }
    if (request instanceof Request.AbandonSequence r) {
      return isForeign(r.address())
          ? new Refused(Refusal.NO_SESSION)
          : replica.sessions.abandon(who, r.address(), r.sequence());
    }
    if (request instanceof Request.Acknowledge r) {
      replica.keys.acknowledge(who, r.scope(), r.acknowledged());
      return new Done();
    }
    if (request instanceof Request.AbandonKey r) {
      LogClock clock = replica.clock;
      return replica.keys.abandon(who, r.scope(), r.key(), clock.position(), clock.timeMillis());
    }
    if (request instanceof Request.Tick) {
      replica.keys.tidy();
      return new Done();
    }
    if (request instanceof Request.Forget r) {
      return forget(r);
    }
    if (request instanceof Request.ForgetByAge r) {
      return forget(r);
    }
    if (request instanceof Request.SetParameter r) {
      return set(r.parameter(), r.value());
    }
    if (request instanceof Request.SetScope r) {
      return set(who, r);
    }
    if (request instanceof Request.Alias r) {
      return alias(r);
    }
    if (request instanceof Request.FormCluster r) {
      return replica.formation.form(r.id());
    }
    if (request instanceof Request.ReformCluster r) {
      return replica.formation.reform(r);
    }
    if (request instanceof Request.EnableService r) {
      return replica.services.enable(r.name());
    }
    if (request instanceof Request.ConfirmQuarantines r) {
      return replica.quarantine.confirm(r);
    }
    if (request instanceof Request.CompareDigests) {
      replica.asksForDigest = true;
      return new Done();
    }
    if (request instanceof Request.NameDigest r) {
      replica.namedDigest = r;
      return new Done();
    }
    throw new IllegalStateException("nobody decides " + request);
  }

  /** Whether deciding it calls the user's service, whose Error would stop every node (E8). */
  static boolean asksService(Request request) {
    return request instanceof Request.Alias || request instanceof Request.EnableService;
  }

  /** The limit in the way of what takes room without executing anything, or empty (K6). */
  String obstacle(Principal who, Request request) {
    if (request instanceof Request.Open r) {
      return replica.sessions.obstacleToOpening(who, r);
    }
    if (request instanceof Request.AbandonSequence r) {
      return isForeign(r.address())
          ? ""
          : replica.sessions.obstacleToAbandoning(who, r.address(), r.sequence());
    }
    if (request instanceof Request.AbandonKey r) {
      return replica.keys.obstacleToAbandoning(who, r.scope(), r.key(), replica.clock.timeMillis());
    }
    if (request instanceof Request.SetScope r && !r.isRemoval()) {
      return replica.keys.scopes().obstacleToSetting(who, r.scope());
    }
    if (request instanceof Request.Alias r
        && !r.name().equals(r.principal())
        && !replica.principals.isAlias(r.name(), r.principal())) {
      return replica.principals.obstacleToAlias();
    }
    return "";
  }

  private boolean isForeign(Request.Address address) {
    return replica.formation.isForeign(address.clusterTag());
  }

  private Decision forget(Request.Forget forget) {
    long latest = replica.clock.timeMillis() - KeyTable.FORGET_MARGIN_MILLIS;
    if (forget.beforeMillis() > latest) {
      return new Rejected(
          "keys of the last ten minutes cannot be forgotten; the latest bound allowed now is "
              + Instant.ofEpochMilli(latest));
    }
    return new Decision.Forgot(replica.keys.forget(forget.beforeMillis()));
  }

  private Decision forget(Request.ForgetByAge forget) {
    long latest = replica.clock.ageMillis() - KeyTable.FORGET_MARGIN_MILLIS;
    if (forget.beforeAgeMillis() > latest) {
      return new Rejected(
          "keys of the last ten minutes cannot be forgotten; the latest bound allowed now is an age"
              + " of "
              + latest
              + " ms");
    }
    return new Decision.Forgot(replica.keys.forgetByAge(forget.beforeAgeMillis()));
  }

  private Decision set(Parameter parameter, long value) {
    if (value < parameter.least() || value > parameter.most()) {
      return new Rejected(
          parameter
              + " cannot be "
              + value
              + "; allowed are "
              + parameter.least()
              + " to "
              + parameter.most());
    }
    if (parameter == Parameter.RETENTION_MILLIS) {
      RetentionClass retention = replica.keys.scopes().retention(value);
      if (retention == null) {
        return tooManyRetentions();
      }
      replica.keys.scopes().setStandard(retention);
    }
    long before = replica.parameters.value(parameter);
    replica.parameters.set(parameter, value);
    if (parameter == Parameter.SESSION_EXPIRY_MILLIS
        || parameter == Parameter.DURABLE_EXPIRY_MILLIS) {
      replica.sessions.store().expiryChanged(parameter, before - value);
    }
    return new Done();
  }

  private Decision set(Principal who, Request.SetScope r) {
    Scopes scopes = replica.keys.scopes();
    if (r.isRemoval()) {
      scopes.unset(r.scope());
      return new Done();
    }
    Parameter bounds = Parameter.RETENTION_MILLIS;
    if (r.retentionMillis() < bounds.least() || r.retentionMillis() > bounds.most()) {
      return new Rejected(
          "a retention cannot be "
              + r.retentionMillis()
              + " ms; allowed are "
              + bounds.least()
              + " to "
              + bounds.most());
    }
    String limit = obstacle(who, r);
    if (!limit.isEmpty()) {
      return new Refused(Refusal.OVERLOADED, limit);
    }
    RetentionClass retention = scopes.retention(r.retentionMillis());
    if (retention == null) {
      return tooManyRetentions();
    }
    scopes.set(replica.principals.enter(who), r.scope(), retention, r.datedOnly());
    return new Done();
  }

  private static Rejected tooManyRetentions() {
    return new Rejected(
        "at most " + Scopes.MAX_RETENTIONS + " different retentions can be used; use one of them");
  }

  private Decision alias(Request.Alias r) {
    Principals principals = replica.principals;
    Principal own = principals.called(r.name());
    Principal other = principals.called(r.principal());
    if (own == other && own.isEntered() && !r.name().equals(r.principal())) {
      return new Done();
    }
    if (r.name().equals(r.principal()) || own.sessions > 0 || own.bytes > 0) {
      return new Rejected(
          "only a name that owns no session and no key can become another name of a principal");
    }
    if (replica.serviceOwns(own)) {
      return new Rejected(
          "only a name that owns nothing in a service, such as claims of a guard, can become"
              + " another name of a principal");
    }
    String limit = principals.obstacleToAlias();
    if (!limit.isEmpty()) {
      return new Refused(Refusal.OVERLOADED, limit);
    }
    replica.renamed(own, other);
    principals.alias(r.name(), other);
    return new Done();
  }
}
