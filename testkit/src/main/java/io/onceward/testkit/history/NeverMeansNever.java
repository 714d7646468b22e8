package io.onceward.testkit.history;

import io.onceward.Executed;

/**
 * Who was told {@code never} may send a new id, so the old one must not have had an effect (O3).
 */
final class NeverMeansNever extends Check {
  NeverMeansNever() {
    super("what was refused as never has no effect");
  }

  @Override
  void check(Evidence evidence, Findings findings) {
    History history = evidence.history();
    for (int op = 0; op < history.ops; op++) {
      if (history.resultOf[op] != History.REFUSED || history.executed(op) != Executed.NEVER) {
        continue;
      }
      findings.checked();
      int request = history.requestOf[op];
      Fate fate = history.fate(request);
      if (fate == Fate.ANSWERED || fate == Fate.UNTOLD) {
        int refused = op;
        findings.violation(
            () -> history.describe(refused) + "; but it executed: " + evidence.tell(request));
      }
    }
  }
}
