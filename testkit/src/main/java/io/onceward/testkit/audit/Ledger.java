package io.onceward.testkit.audit;

import io.onceward.ClusterId;
import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plain facts about what the log has decided so far, written down from the decisions themselves. It
 * predicts nothing; the invariants compare each new event with what stands here.
 */
public final class Ledger {
  private final LogClock clock = new LogClock();
  private final Settings settings = new Settings();
  private final SessionFacts sessions = new SessionFacts();
  private final KeyFacts keys = new KeyFacts();
  private final Map<String, String> aliases = new LinkedHashMap<>();
  private final Map<Long, List<Execution>> executions = new LinkedHashMap<>();
  private ClusterId clusterId = ClusterId.NONE;
  private long position;

  void enter(Entered entry) {
    position = entry.position();
    clock.enter(entry.term(), entry.stampMillis(), settings.of(Parameter.KEEP_ALIVE_MILLIS));
  }

  void judged(Judged copy) {
    if (copy.executed()) {
      executions
          .computeIfAbsent(copy.position(), at -> new ArrayList<>())
          .addAll(copy.executions());
    }
    Request request = copy.request();
    if (request == null) {
      return;
    }
    boolean done = copy.decision() instanceof Decision.Done;
    if (request instanceof Request.Open open) {
      if (copy.decision() instanceof Decision.Opened opened) {
        sessions.opened(copy, open, opened, clusterId.tag(), settings);
      }
    } else if (request instanceof Request.InSession ask) {
      sessions.spoke(copy, ask.address(), clusterId.tag(), settings);
    } else if (request instanceof Request.KeepAlive ask) {
      sessions.spoke(copy, ask.address(), clusterId.tag(), settings);
    } else if (request instanceof Request.Close ask) {
      sessions.spoke(copy, ask.address(), clusterId.tag(), settings);
    } else if (request instanceof Request.AbandonSequence ask) {
      sessions.spoke(copy, ask.address(), clusterId.tag(), settings);
    } else if (request instanceof Request.SetParameter set && done) {
      settings.set(set.parameter(), set.value());
      sessions.expiryChanged(copy.ageMillis(), settings);
    } else if (request instanceof Request.SetScope set && done) {
      if (set.isRemoval()) {
        settings.removeScope(set.scope().name());
      } else {
        settings.setScope(set.scope().name(), set.retentionMillis(), set.datedOnly());
      }
    } else if (request instanceof Request.Alias alias && done) {
      alias(alias.name(), alias.principal());
    } else if (request instanceof Request.FormCluster form && done) {
      clusterId = form.id();
    } else if (request instanceof Request.ReformCluster form && done) {
      clusterId = form.id();
    } else {
      keys.judged(copy, settings);
    }
  }

  /** Whatever meant the same as the name comes along. */
  private void alias(String name, String principal) {
    String former = resolve(name);
    String meant = resolve(principal);
    aliases.replaceAll((any, before) -> before.equals(former) ? meant : before);
    aliases.put(name, meant);
  }

  /** The principal that this name means now (L3). */
  String resolve(String principal) {
    return aliases.getOrDefault(principal, principal);
  }

  /** The execution under a request's id, as far as it is known; null if there was none. */
  @Nullable Effect effectOf(String principal, @Nullable Request request) {
    if (request instanceof Request.InSession ask) {
      return effectOf(ask.address(), ask.sequence());
    }
    if (request instanceof Request.AbandonSequence ask) {
      return effectOf(ask.address(), ask.sequence());
    }
    KeyFact fact = null;
    if (request instanceof Request.Keyed ask) {
      fact = keys.of(principal, ask.scope().name(), ask.key());
    } else if (request instanceof Request.AbandonKey ask) {
      fact = keys.of(principal, ask.scope().name(), ask.key());
    }
    return fact == null ? null : fact.effect();
  }

  /**
   * The execution that a reply tells of, if there ever was one like it under the id of this
   * request; else null. An id may have had several: an undated key whose record was dropped, an
   * auto name that was opened again.
   */
  @Nullable Effect effectTold(String principal, Request request, Decision.Replied replied) {
    if (request instanceof Request.InSession ask) {
      return effectTold(ask.address(), ask.sequence(), replied);
    }
    if (request instanceof Request.AbandonSequence ask) {
      return effectTold(ask.address(), ask.sequence(), replied);
    }
    if (request instanceof Request.Keyed ask) {
      return effectTold(principal, ask.scope().name(), ask.key(), replied);
    }
    return request instanceof Request.AbandonKey ask
        ? effectTold(principal, ask.scope().name(), ask.key(), replied)
        : null;
  }

  private @Nullable Effect effectTold(
      Request.Address address, long sequence, Decision.Replied replied) {
    SessionFact fact = sessions.of(address.session());
    Effect effect = fact == null ? null : fact.effectIn(address.incarnation(), sequence);
    return effect != null && effect.isWhat(replied) ? effect : null;
  }

  @Nullable Effect effectTold(String principal, String scope, Key key, Decision.Replied replied) {
    for (KeyFact fact : keys.ever(principal, scope, key)) {
      Effect effect = fact.effect();
      if (effect != null && effect.isWhat(replied)) {
        return effect;
      }
    }
    return null;
  }

  private @Nullable Effect effectOf(Request.Address address, long sequence) {
    SessionFact fact = sessions.of(address.session());
    return fact == null ? null : fact.effect(sequence);
  }

  public LogClock clock() {
    return clock;
  }

  public Settings settings() {
    return settings;
  }

  public SessionFacts sessions() {
    return sessions;
  }

  public KeyFacts keys() {
    return keys;
  }

  ClusterId clusterId() {
    return clusterId;
  }

  /** The last position that any node has applied. */
  public long position() {
    return position;
  }

  /** What the service did at a position. */
  List<Execution> executionsAt(long at) {
    return executions.getOrDefault(at, List.of());
  }
}
