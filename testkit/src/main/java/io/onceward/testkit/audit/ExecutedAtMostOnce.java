package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.Reply;
import io.onceward.replica.Request;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A request id takes effect at most once (E2), and a wish does too, also when its caller was told
 * {@code never} and sent it again under another id. Exempt are requests without an id (E10) and
 * undated keys whose retention is over (K5).
 */
public final class ExecutedAtMostOnce extends Invariant {
  private final Ledger ledger;
  private final Map<Long, Judged> wishes = new HashMap<>();
  private final Set<Long> exempt = new HashSet<>();

  public ExecutedAtMostOnce(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    check(copy.executions().size() <= 1, "one copy ran the service more than once", copy);
    boolean quarantined =
        copy.decision() instanceof Decision.Replied replied
            && replied.reply().kind() == Reply.Kind.FAILED;
    check(
        copy.executed() == copy.repliedFirst() || quarantined,
        "the service ran for a copy that was told otherwise",
        copy);
    if (isUndated(copy)) {
      exempt.add(copy.wish());
    }
    if (copy.repliedFirst()) {
      idIsFresh(copy);
      if (copy.executed()) {
        wishIsFresh(copy);
      }
    }
  }

  private void idIsFresh(Judged copy) {
    if (copy.request() instanceof Request.InSession ask) {
      SessionFact fact = ledger.sessions().of(ask.address().session());
      boolean sameLife = fact != null && fact.incarnation() >= ask.address().incarnation();
      Effect earlier = fact == null || !sameLife ? null : fact.effect(ask.sequence());
      check(earlier == null, "a sequence executed again", copy, "; at first ", earlier);
    } else if (copy.request() instanceof Request.Keyed ask) {
      KeyFact fact = ledger.keys().of(copy.principal(), ask.scope().name(), ask.key());
      Effect earlier = fact == null ? null : fact.effect();
      boolean mayRepeat =
          fact == null || (!ask.key().isDated() && !fact.promised(copy.ageMillis()));
      check(earlier == null || mayRepeat, "a key executed again", copy, "; at first ", earlier);
    }
  }

  private void wishIsFresh(Judged copy) {
    long wish = copy.executions().get(0).wish();
    check(wish == copy.wish(), "the service ran for another payload", copy);
    Judged earlier = wishes.putIfAbsent(wish, copy);
    check(
        earlier == null || exempt.contains(wish),
        "a wish was fulfilled twice",
        copy,
        "; and before that ",
        earlier);
  }

  private static boolean isUndated(Judged copy) {
    return copy.request() instanceof Request.Unkeyed
        || (copy.request() instanceof Request.Keyed ask && !ask.key().isDated());
  }
}
