package io.onceward.testkit.model;

import io.onceward.Bytes;
import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.Outcome;
import io.onceward.Refusal;
import io.onceward.Reply;
import io.onceward.replica.Parameter;
import io.onceward.replica.Replica;
import io.onceward.replica.Request;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says what every copy of a request must be told. It follows the log entry by entry and is told
 * what the service answered, since that is the one thing that it cannot know.
 */
public final class Model {
  private static final int ORDINAL_BITS = 16;

  private final Accounts accounts = new Accounts();
  private final Owners owners = new Owners(accounts);
  private final ModelSessions sessions = new ModelSessions(accounts);
  private final ModelKeys keys = new ModelKeys(accounts);
  private ClusterId clusterId = ClusterId.NONE;
  private boolean refusesAll;
  private long position;
  private long term = -1;
  private long stampMillis;
  private long timeMillis;
  private long ageMillis;

  /**
   * Time passes, then what is due expires (T2, T3, S7, K3).
   *
   * @param clusterTag of the cluster whose entry it is. Only a forming entry that comes again is of
   *     another one, and is refused as a whole
   */
  public void enter(long entryPosition, long entryTerm, long entryStampMillis, long clusterTag) {
    if (entryTerm == term) {
      long passed = Math.max(0, entryStampMillis - stampMillis);
      ageMillis += Math.min(passed, 2 * accounts.of(Parameter.KEEP_ALIVE_MILLIS));
    }
    position = entryPosition;
    term = entryTerm;
    stampMillis = entryStampMillis;
    timeMillis = Math.max(timeMillis, entryStampMillis);
    refusesAll = clusterTag != clusterId.tag();
    sessions.expire(ageMillis);
    keys.expire(ageMillis, timeMillis);
  }

  /**
   * Decides the next copy of the entry.
   *
   * @param request null if its frame could not be read
   * @param service gives what the service answered; asked only if the request must execute
   */
  public Decision decide(
      int ordinal, String principal, @Nullable Request request, Supplier<Reply> service) {
    if (refusesAll) {
      return new Decision.Rejected("formed already");
    }
    if (request == null) {
      return new Decision.Refused(Refusal.MALFORMED);
    }
    Owner owner = owners.called(principal);
    Supplier<Reply> kept = () -> within(service.get());
    if (request instanceof Request.InSession ask) {
      return fence(owner, ask.address(), () -> sessions.ask(ask, position, timeMillis, kept));
    }
    if (request instanceof Request.KeepAlive ask) {
      return fence(owner, ask.address(), () -> sessions.keepAlive(ask));
    }
    if (request instanceof Request.Close ask) {
      return fence(owner, ask.address(), () -> sessions.close(ask));
    }
    if (request instanceof Request.AbandonSequence ask) {
      return fence(owner, ask.address(), () -> sessions.abandon(ask));
    }
    if (request instanceof Request.Open open) {
      return sessions.open(owner, open, position << ORDINAL_BITS | ordinal, clusterId.tag());
    }
    if (request instanceof Request.Keyed ask) {
      return keys.ask(owner, ask, position, kept);
    }
    if (request instanceof Request.Acknowledge ask) {
      keys.acknowledge(owner, ask.scope().name(), ask.acknowledged());
      return new Decision.Done();
    }
    if (request instanceof Request.AbandonKey ask) {
      return keys.abandon(owner, ask);
    }
    if (request instanceof Request.Unkeyed ask) {
      return unkeyed(ask.command(), kept);
    }
    return administer(owner, request);
  }

  private Decision unkeyed(Bytes command, Supplier<Reply> service) {
    if (command.length() > accounts.of(Parameter.MAX_COMMAND_BYTES)) {
      return new Decision.Refused(Refusal.TOO_LARGE, "command");
    }
    String limit = accounts.limitFor(command);
    if (!limit.isEmpty()) {
      return new Decision.Refused(Refusal.OVERLOADED, limit);
    }
    accounts.executed(command);
    return new Decision.Replied(service.get(), false, position, timeMillis);
  }

  private Decision fence(Owner owner, Request.Address address, Supplier<Decision> inside) {
    Refusal refusal = sessions.fence(owner, address, clusterId.tag());
    return refusal == null ? inside.get() : new Decision.Refused(refusal);
  }

  /** A reply over the limit is not kept, but its request executed (E9). */
  private Reply within(Reply reply) {
    return reply.bytes().length() > accounts.of(Parameter.MAX_REPLY_BYTES)
        ? Reply.REPLY_TOO_LARGE
        : reply;
  }

  private Decision administer(Owner owner, Request request) {
    if (request instanceof Request.Forget forget) {
      return keys.forget(forget.beforeMillis());
    }
    if (request instanceof Request.ForgetByAge forget) {
      return keys.forgetByAge(forget.beforeAgeMillis());
    }
    if (request instanceof Request.SetParameter set) {
      return set(set.parameter(), set.value());
    }
    if (request instanceof Request.SetScope set) {
      return keys.setScope(owner, set);
    }
    if (request instanceof Request.Alias alias) {
      return owners.alias(alias.name(), alias.principal());
    }
    if (request instanceof Request.FormCluster form) {
      return name(clusterId.equals(ClusterId.NONE), form.id());
    }
    if (request instanceof Request.ReformCluster form) {
      return name(!clusterId.equals(ClusterId.NONE) && clusterId.equals(form.former()), form.id());
    }
    return new Decision.Done();
  }

  private Decision name(boolean permitted, ClusterId id) {
    if (!permitted || id.tag() == 0 || id.tag() == clusterId.tag()) {
      return new Decision.Rejected("no new id");
    }
    clusterId = id;
    return new Decision.Done();
  }

  private Decision set(Parameter parameter, long value) {
    if (value < parameter.least() || value > parameter.most()) {
      return new Decision.Rejected("outside of what is allowed");
    }
    if (parameter == Parameter.RETENTION_MILLIS) {
      return keys.setRetention(value);
    }
    sessions.timeoutChanges(parameter, accounts.of(parameter), value);
    accounts.set(parameter, value);
    return new Decision.Done();
  }

  public long position() {
    return position;
  }

  public long timeMillis() {
    return timeMillis;
  }

  public long ageMillis() {
    return ageMillis;
  }

  public long tableBytes() {
    return accounts.total();
  }

  /** What is known of a sequence (O1). */
  public Outcome outcome(String principal, Request.Address address, long sequence) {
    return address.clusterTag() == clusterId.tag()
        ? sessions.outcome(owners.called(principal), address, sequence)
        : new Outcome.NoSession();
  }

  /** What is known of a key (O1). */
  public Outcome outcome(String principal, String scope, Key key) {
    return keys.outcome(owners.called(principal), scope, key);
  }

  public List<Replica.SessionView> sessions() {
    return sessions.views();
  }

  /** How many keys a forget with this bound would drop (K4). */
  public long countOlderThan(long beforeMillis) {
    return keys.countOlderThan(beforeMillis);
  }

  /** How many keys a forget by age with this bound would drop (K4). */
  public long countByAge(long beforeAgeMillis) {
    return keys.countByAge(beforeAgeMillis);
  }

  public long horizonMicros(String scope) {
    return keys.horizonMicros(scope);
  }
}
