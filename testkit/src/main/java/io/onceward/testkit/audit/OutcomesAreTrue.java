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
      long served = told.servedAtPosition();
      KeyFact fact = ledger.keys().at(served, principal, id.scope(), id.key());
      boolean promised = fact != null && fact.promisedAt(served, ledger.clock().ageMillis());
      compareKey(told, fact, promised);
    }
  }

  /**
   * A record that may have been dropped may still be told, but no other one may.
   *
   * @param fact the latest record that the node which answered can have had
   */
  private void compareKey(Told told, @Nullable KeyFact fact, boolean promised) {
    Outcome outcome = told.outcome();
    Effect effect = fact == null ? null : fact.effect();
    if (outcome instanceof Outcome.Executed executed) {
      checkExecuted(told, executed, effect);
    } else if (outcome instanceof Outcome.Abandoned) {
      check(fact != null && fact.abandoned(), "told as abandoned what was not", told);
    } else if (outcome instanceof Outcome.Acknowledged) {
      check(fact != null && fact.acknowledged(), "told as acknowledged what was not", told, fact);
    } else {
      boolean seen = outcome instanceof Outcome.NeverSeen && effect != null;
      check(!seen, "told as never seen what executed", told, "; the log says ", effect);
      check(!promised, "told nothing of what is remembered", told, "; the log says ", effect);
    }
  }

  /** {@code later}: facts may be newer than what the node that answered had applied. */
  private void compare(Told told, @Nullable Effect effect, boolean abandoned, boolean later) {
    Outcome outcome = told.outcome();
    if (outcome instanceof Outcome.Executed executed) {
      checkExecuted(told, executed, effect);
    } else if (outcome instanceof Outcome.Abandoned) {
      check(abandoned, "told as abandoned what was not", told);
    } else if (outcome instanceof Outcome.NeverSeen) {
      boolean seen = effect != null && effect.position() <= told.servedAtPosition();
      check(!seen, "told as never seen what executed", told, "; the log says ", effect);
      check(!abandoned || later, "told as never seen what was abandoned", told);
    }
  }

  private void checkExecuted(Told told, Outcome.Executed executed, @Nullable Effect effect) {
    check(
        effect != null
            && effect.reply().equals(executed.reply())
            && effect.position() == executed.position()
            && effect.timeMillis() == executed.timeMillis(),
        "told as executed what executed otherwise",
        told,
        "; the log says ",
        effect);
  }
}
