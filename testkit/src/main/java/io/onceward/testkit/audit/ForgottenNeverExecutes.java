package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.replica.Parameter;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Horizon;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A dated id at or before the date of any dropped record of its retention class never executes as
 * if it were fresh, and the horizon only grows (K5).
 */
public final class ForgottenNeverExecutes extends Invariant {
  private static final long MICROS_PER_MILLI = 1_000;

  private final Ledger ledger;
  private final Map<Long, Long> droppedMicros = new HashMap<>();
  private final Map<String, TreeMap<Long, Horizon>> shown = new HashMap<>();

  public ForgottenNeverExecutes(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    for (KeyFact fact : ledger.keys().takeDropped(copy.ageMillis())) {
      if (fact.key.isDated()) {
        droppedMicros.merge(fact.retentionMillis, fact.key.dateMicros(), Math::max);
        long now = ledger.settings().retentionMillis(fact.scope);
        droppedMicros.merge(now, fact.key.dateMicros(), Math::max);
      }
    }
    if (copy.request() instanceof Request.Keyed ask && ask.key().isDated() && copy.repliedFirst()) {
      long latest = copy.timeMillis() + ledger.settings().of(Parameter.FUTURE_MILLIS);
      check(
          ask.key().dateMicros() / MICROS_PER_MILLI <= latest,
          "an id from the future executed",
          copy);
      long retention = ledger.settings().retentionMillis(ask.scope().name());
      long horizon = droppedMicros.getOrDefault(retention, Long.MIN_VALUE);
      check(
          ask.key().dateMicros() > horizon,
          "an id as old as dropped records executed",
          copy,
          "; a dropped one was dated ",
          horizon);
    }
    if (copy.decision() instanceof Decision.Done) {
      carryOver(copy.request());
    }
  }

  /** A scope that changes its class takes the horizon along, so that it does not go back. */
  private void carryOver(@Nullable Request request) {
    if (request instanceof Request.SetScope set) {
      long from = ledger.settings().retentionMillis(set.scope().name());
      long standard = ledger.settings().of(Parameter.RETENTION_MILLIS);
      carryOver(from, set.isRemoval() ? standard : set.retentionMillis());
    } else if (request instanceof Request.SetParameter set
        && set.parameter() == Parameter.RETENTION_MILLIS) {
      carryOver(ledger.settings().of(Parameter.RETENTION_MILLIS), set.value());
    }
  }

  private void carryOver(long fromRetention, long toRetention) {
    long carried = droppedMicros.getOrDefault(fromRetention, Long.MIN_VALUE);
    droppedMicros.merge(toRetention, carried, Math::max);
  }

  @Override
  protected void horizon(Horizon horizon) {
    TreeMap<Long, Horizon> ofScope =
        shown.computeIfAbsent(horizon.scope(), scope -> new TreeMap<>());
    ofScope.putIfAbsent(horizon.position(), horizon);
    Map.Entry<Long, Horizon> before = ofScope.lowerEntry(horizon.position());
    Map.Entry<Long, Horizon> after = ofScope.higherEntry(horizon.position());
    check(
        before == null || before.getValue().horizonMicros() <= horizon.horizonMicros(),
        "the horizon went back",
        horizon,
        " and ",
        before);
    check(
        after == null || horizon.horizonMicros() <= after.getValue().horizonMicros(),
        "the horizon went back",
        horizon,
        " and ",
        after);
  }
}
