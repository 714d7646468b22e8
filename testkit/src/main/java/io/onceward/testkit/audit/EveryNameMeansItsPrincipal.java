package io.onceward.testkit.audit;

import io.onceward.testkit.audit.Events.Queried;

/**
 * Whatever name somebody has asked under, the service is told the principal that it means: for
 * commands and for queries (L3).
 */
public final class EveryNameMeansItsPrincipal extends Invariant {
  private final Ledger ledger;

  public EveryNameMeansItsPrincipal(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  protected void judged(Judged copy) {
    for (Execution execution : copy.executions()) {
      check(
          execution.principal().equals(copy.principal()),
          "executed as somebody else",
          execution,
          "; ",
          copy);
    }
  }

  @Override
  protected void queried(Queried question) {
    // A node that is behind may not know a new name yet.
    if (question.position() == ledger.position()) {
      check(
          question.principal().equals(ledger.resolve(question.name())),
          "queried as somebody else",
          question);
    }
  }
}
