package io.onceward.testkit.audit;

import io.onceward.ClientKind;
import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.replica.Request;
import io.onceward.testkit.audit.Events.Told;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A process that asks for an outcome is never told what another process executed under the same
 * sequence of the same name. Between the two there must be nothing but openings that inherited a
 * journal (S4).
 */
public final class OutcomesAreOnesOwn extends Invariant {
  private record Place(long session, long sequence) {}

  /** Of each durable session: its openings, and whether each inherited the journal before it. */
  private final Map<Long, TreeMap<Long, Boolean>> openings = new HashMap<>();

  private final Map<Place, Long> executedBy = new HashMap<>();

  @Override
  protected void judged(Judged copy) {
    if (copy.request() instanceof Request.Open open
        && open.kind() == ClientKind.DURABLE
        && copy.decision() instanceof Decision.Opened opened) {
      openings
          .computeIfAbsent(opened.session(), session -> new TreeMap<>())
          .putIfAbsent(opened.incarnation(), open.fromJournal());
    } else if (copy.request() instanceof Request.InSession ask
        && copy.decision() instanceof Decision.Replied replied
        && !replied.replay()) {
      Place place = new Place(ask.address().session(), ask.sequence());
      executedBy.put(place, ask.address().incarnation());
    }
  }

  @Override
  protected void told(Told told) {
    Request.Address asker = told.address();
    if (asker == null
        || !(told.id() instanceof Id.InSession id)
        || !(told.outcome() instanceof Outcome.Executed)) {
      return;
    }
    TreeMap<Long, Boolean> durable = openings.get(asker.session());
    Long executor = executedBy.get(new Place(asker.session(), id.sequence()));
    if (durable == null || executor == null) {
      return;
    }
    long first = Math.min(executor, asker.incarnation());
    long last = Math.max(executor, asker.incarnation());
    check(
        !durable.subMap(first, false, last, true).containsValue(false),
        "told of what another process executed",
        told,
        "; executed was it by incarnation ",
        executor);
  }
}
