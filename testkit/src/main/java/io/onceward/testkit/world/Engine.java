package io.onceward.testkit.world;

import io.onceward.ClusterId;

/**
 * How the replicated log under the nodes behaves where its promise leaves it free: it may log an
 * entry twice, and may forget early or late whom a deposed leader worked for. It also keeps what an
 * operator wants of the next leader.
 */
final class Engine {
  private static final long LONGEST_REPEAT_MILLIS = 500;
  private static final int FORGETS_PER_MILLE = 600;

  private final Dice dice;
  private final int repeatPerMille;
  private boolean formsAnew;
  private boolean calm;

  Engine(Dice dice, int repeatPerMille) {
    this.dice = dice;
    this.repeatPerMille = repeatPerMille;
  }

  /** Whether it proposes an entry a second time, having lost track of the first. */
  boolean repeats() {
    return !calm && dice.perMille(repeatPerMille);
  }

  /** From now on it logs everything once. */
  void calm() {
    calm = true;
  }

  long repeatMillis() {
    return dice.between(1, LONGEST_REPEAT_MILLIS);
  }

  /** Whether a leader that is deposed forgets at once what it had handed in for whom. */
  boolean forgets() {
    return dice.perMille(FORGETS_PER_MILLE);
  }

  /** Whether a deposed leader hears of that before it hears what became of its entries. */
  boolean tellsRolesFirst() {
    return dice.perMille(500);
  }

  /** The next leader gives the cluster another id, as after a restored backup (S1). */
  void formAnew() {
    formsAnew = true;
  }

  boolean formsAnew() {
    return formsAnew;
  }

  void formed() {
    formsAnew = false;
  }

  ClusterId nextClusterId() {
    return new ClusterId(dice.next(), dice.next());
  }
}
