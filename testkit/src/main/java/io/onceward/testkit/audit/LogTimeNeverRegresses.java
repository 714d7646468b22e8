package io.onceward.testkit.audit;

import io.onceward.Decision;
import io.onceward.testkit.audit.Events.Shown;
import java.util.HashMap;
import java.util.Map;

/**
 * Log time and age never go back, and are what the entries up to a position say (T2, T3): on no
 * node more, on no node less.
 */
public final class LogTimeNeverRegresses extends Invariant {
  private final Ledger ledger;
  private final Map<Integer, Shown> last = new HashMap<>();
  private final Map<Long, Shown> first = new HashMap<>();

  public LogTimeNeverRegresses(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    if (copy.decision() instanceof Decision.Replied replied && !replied.replay()) {
      check(replied.timeMillis() == copy.timeMillis(), "an execution at another log time", copy);
    }
  }

  @Override
  protected void shown(Shown state) {
    Shown before = last.put(state.node(), state);
    if (before != null && before.position() <= state.position()) {
      check(
          before.timeMillis() <= state.timeMillis() && before.ageMillis() <= state.ageMillis(),
          "log time or age went back",
          state,
          " after ",
          before);
    }
    if (state.position() == ledger.position()) {
      check(
          state.timeMillis() == ledger.clock().timeMillis()
              && state.ageMillis() == ledger.clock().ageMillis(),
          "log time or age is not what the log says",
          state,
          "; the log says ",
          ledger.clock().timeMillis(),
          " and ",
          ledger.clock().ageMillis());
    }
    Shown other = first.putIfAbsent(state.position(), state);
    check(
        other == null
            || (other.timeMillis() == state.timeMillis() && other.ageMillis() == state.ageMillis()),
        "two nodes tell different times at one position",
        state,
        " and ",
        other);
  }
}
