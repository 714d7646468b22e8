package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.replica.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is known of all keys that ever had a record. */
public final class KeyFacts {
  private record Identity(String principal, String scope, Key key) {}

  private final Map<Identity, KeyFact> facts = new LinkedHashMap<>();
  private final TreeMap<Long, List<KeyFact>> byDropAge = new TreeMap<>();
  private final List<KeyFact> dropped = new ArrayList<>();

  /** The latest record of a key, which may have been dropped since. */
  @Nullable KeyFact of(String principal, String scope, Key key) {
    return facts.get(new Identity(principal, scope, key));
  }

  void judged(Judged copy, Settings settings) {
    if (copy.request() instanceof Request.Keyed ask) {
      acknowledge(copy.principal(), ask.scope().name(), ask.acknowledged());
      if (copy.decision() instanceof Decision.Replied replied && !replied.replay()) {
        Effect effect = Effect.of(copy, replied, ask.fingerprint());
        arrive(copy, ask.scope().name(), ask.key(), effect, settings);
      }
    } else if (copy.request() instanceof Request.Acknowledge ask) {
      acknowledge(copy.principal(), ask.scope().name(), ask.acknowledged());
    } else if (copy.request() instanceof Request.AbandonKey ask
        && copy.decision() instanceof Decision.Abandoned) {
      KeyFact fact = of(copy.principal(), ask.scope().name(), ask.key());
      if (fact == null || !fact.promised(copy.ageMillis())) {
        arrive(copy, ask.scope().name(), ask.key(), null, settings);
      }
    } else if (copy.request() instanceof Request.Forget ask
        && copy.decision() instanceof Decision.Forgot) {
      forget(ask.beforeMillis(), copy.ageMillis());
    }
  }

  private void acknowledge(String principal, String scope, List<Key> keys) {
    for (Key key : keys) {
      KeyFact fact = of(principal, scope, key);
      if (fact != null) {
        fact.acknowledge();
      }
    }
  }

  private void arrive(
      Judged copy, String scope, Key key, @Nullable Effect effect, Settings settings) {
    KeyFact fact = new KeyFact(copy, scope, key, effect, settings.retentionMillis(scope));
    facts.put(new Identity(copy.principal(), scope, key), fact);
    byDropAge.computeIfAbsent(fact.surelyDroppedAge(), age -> new ArrayList<>()).add(fact);
  }

  private void forget(long beforeMillis, long age) {
    for (KeyFact fact : facts.values()) {
      if (!fact.surelyDropped(age) && fact.olderThan(beforeMillis)) {
        fact.forget();
        dropped.add(fact);
      }
    }
  }

  /** The records that are surely dropped since this was asked last. */
  List<KeyFact> takeDropped(long age) {
    while (!byDropAge.isEmpty() && byDropAge.firstKey() <= age) {
      dropped.addAll(byDropAge.pollFirstEntry().getValue());
    }
    List<KeyFact> taken = List.copyOf(dropped);
    dropped.clear();
    return taken;
  }
}
