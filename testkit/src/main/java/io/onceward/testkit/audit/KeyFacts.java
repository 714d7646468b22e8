package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Key;
import io.onceward.replica.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is known of all keys that ever had a record. */
public final class KeyFacts {
  private record Identity(String principal, String scope, Key key) {}

  /** All records that each key ever had, in order: an undated one may have many. */
  private final Map<Identity, List<KeyFact>> facts = new LinkedHashMap<>();

  private final TreeMap<Long, List<KeyFact>> byDropAge = new TreeMap<>();
  private final List<KeyFact> dropped = new ArrayList<>();

  /** The latest record of a key, which may have been dropped since. */
  @Nullable KeyFact of(String principal, String scope, Key key) {
    List<KeyFact> all = ever(principal, scope, key);
    return all.isEmpty() ? null : all.get(all.size() - 1);
  }

  /** The latest record of a key that arrived up to this position. */
  @Nullable KeyFact at(long position, String principal, String scope, Key key) {
    KeyFact latest = null;
    for (KeyFact fact : ever(principal, scope, key)) {
      if (fact.arrivedPosition <= position) {
        latest = fact;
      }
    }
    return latest;
  }

  /** All records that a key ever had, the latest one last. */
  List<KeyFact> ever(String principal, String scope, Key key) {
    return facts.getOrDefault(new Identity(principal, scope, key), List.of());
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
      forget(fact -> fact.olderThan(ask.beforeMillis()), copy);
    } else if (copy.request() instanceof Request.ForgetByAge ask
        && copy.decision() instanceof Decision.Forgot) {
      forget(fact -> fact.arrivedBeforeAge(ask.beforeAgeMillis()), copy);
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
    facts
        .computeIfAbsent(new Identity(copy.principal(), scope, key), any -> new ArrayList<>())
        .add(fact);
    byDropAge.computeIfAbsent(fact.surelyDroppedAge(), age -> new ArrayList<>()).add(fact);
  }

  private void forget(Predicate<KeyFact> older, Judged copy) {
    for (List<KeyFact> ever : facts.values()) {
      KeyFact fact = ever.get(ever.size() - 1);
      if (!fact.surelyDropped(copy.ageMillis()) && older.test(fact)) {
        fact.forget(copy.position());
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
