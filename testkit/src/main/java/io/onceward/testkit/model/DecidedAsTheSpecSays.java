package io.onceward.testkit.model;

import io.onceward.Decision;
import io.onceward.Outcome;
import io.onceward.Reply;
import io.onceward.replica.Replica;
import io.onceward.testkit.audit.Entered;
import io.onceward.testkit.audit.Events.Horizon;
import io.onceward.testkit.audit.Events.Inventory;
import io.onceward.testkit.audit.Events.Shown;
import io.onceward.testkit.audit.Events.Told;
import io.onceward.testkit.audit.Execution;
import io.onceward.testkit.audit.Id;
import io.onceward.testkit.audit.Invariant;
import io.onceward.testkit.audit.Judged;
import java.util.List;

/** Every decision, every outcome and every byte of account is what the {@link Model} says. */
public final class DecidedAsTheSpecSays extends Invariant {
  private final Model model = new Model();

  @Override
  protected void entered(Entered entry) {
    model.enter(entry.position(), entry.term(), entry.stampMillis(), entry.clusterTag());
  }

  @Override
  protected void judged(Judged copy) {
    Decision expected =
        model.decide(copy.ordinal(), copy.asked(), copy.request(), () -> answer(copy.executions()));
    boolean same =
        expected instanceof Decision.Rejected
            ? copy.decision() instanceof Decision.Rejected
            : expected.equals(copy.decision());
    check(same, "decided otherwise", copy, "; by the rules it is ", expected);
    boolean executes = expected instanceof Decision.Replied replied && !replied.replay();
    check(executes || copy.executions().isEmpty(), "executed against the rules", copy, expected);
  }

  /** A request that an operator quarantined fails without the service (E8). */
  private static Reply answer(List<Execution> executions) {
    return executions.isEmpty() ? Reply.FAILED : executions.get(0).reply();
  }

  @Override
  protected void shown(Shown state) {
    if (state.position() == model.position()) {
      check(
          state.timeMillis() == model.timeMillis()
              && state.ageMillis() == model.ageMillis()
              && state.tableBytes() == model.tableBytes(),
          "another time, age or account",
          state,
          "; by the rules ",
          model.timeMillis(),
          ", ",
          model.ageMillis(),
          ", ",
          model.tableBytes());
    }
  }

  @Override
  protected void told(Told told) {
    if (told.servedAtPosition() != model.position()) {
      return;
    }
    Outcome expected =
        told.id() instanceof Id.InSession id && told.address() != null
            ? model.outcome(told.principal(), told.address(), id.sequence())
            : told.id() instanceof Id.Keyed keyed
                ? model.outcome(told.principal(), keyed.scope(), keyed.key())
                : told.outcome();
    check(expected.equals(told.outcome()), "told otherwise", told, "; by the rules ", expected);
  }

  @Override
  protected void inventory(Inventory inventory) {
    if (inventory.position() == model.position()) {
      List<Replica.SessionView> sessions = model.sessions();
      check(
          inventory.sessions().equals(sessions),
          "other sessions",
          inventory,
          "; by the rules ",
          sessions);
      long older = model.countOlderThan(inventory.beforeMillis());
      check(
          inventory.olderRecords() == older, "another count", inventory, "; by the rules ", older);
      long byAge = model.countByAge(inventory.beforeAgeMillis());
      check(inventory.olderByAge() == byAge, "another count", inventory, "; by the rules ", byAge);
    }
  }

  @Override
  protected void horizon(Horizon horizon) {
    if (horizon.position() == model.position()) {
      long expected = model.horizonMicros(horizon.scope());
      check(
          horizon.horizonMicros() == expected,
          "another horizon",
          horizon,
          "; by the rules ",
          expected);
    }
  }
}
