package io.onceward.testkit.audit;

import io.onceward.Outcome;
import io.onceward.testkit.audit.Events.Told;
import org.jspecify.annotations.Nullable;

/** Who asks is told what the log decided before, and nothing that it did not (O1). */
public final class OutcomesAreTrue extends Invariant {
  private final Ledger ledger;

  public OutcomesAreTrue(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void told(Told told) {
    check(
        told.servedAtPosition() >= told.askedAtPosition(),
        "an outcome from before an answer that was already given",
        told);
    String principal = ledger.resolve(told.principal());
    if (told.id() instanceof Id.InSession id) {
      SessionFact fact = ledger.sessions().of(id.session());
      if (fact == null) {
        check(told.outcome() instanceof Outcome.NoSession, "a session that never was", told);
      } else if (id.incarnation() == 0 && fact.principal.equals(principal)) {
        boolean later = ledger.position() > told.servedAtPosition();
        compare(told, fact.effect(id.sequence()), fact.isAbandoned(id.sequence()), later);
      }
    } else if (told.id() instanceof Id.Keyed id) {
      KeyFact fact = ledger.keys().of(principal, id.scope(), id.key());
      boolean later = ledger.position() > told.servedAtPosition();
      boolean dropped = fact == null || !fact.promised(ledger.clock().ageMillis());
      if (fact == null) {
        compare(told, null, false, later);
      } else if (!dropped) {
        compare(told, fact.effect(), fact.abandoned(), later);
      }
    }
  }

  /** {@code later}: facts may be newer than what the node that answered had applied. */
  private void compare(Told told, @Nullable Effect effect, boolean abandoned, boolean later) {
    Outcome outcome = told.outcome();
    if (outcome instanceof Outcome.Executed executed) {
      check(
          effect != null
              && effect.reply().equals(executed.reply())
              && effect.position() == executed.position()
              && effect.timeMillis() == executed.timeMillis(),
          "told as executed what executed otherwise",
          told,
          "; the log says ",
          effect);
    } else if (outcome instanceof Outcome.Abandoned) {
      check(abandoned, "told as abandoned what was not", told);
    } else if (outcome instanceof Outcome.NeverSeen) {
      boolean seen = effect != null && effect.position() <= told.servedAtPosition();
      check(!seen, "told as never seen what executed", told, "; the log says ", effect);
      check(!abandoned || later, "told as never seen what was abandoned", told);
    }
  }
}
