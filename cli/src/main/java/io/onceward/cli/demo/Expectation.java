package io.onceward.cli.demo;

import java.util.SortedMap;
import java.util.TreeMap;

/** What must be in the counters and accounts after a number of errands. */
final class Expectation {
  private final SortedMap<String, Long> counters = new TreeMap<>();
  private final SortedMap<String, Long> balances = new TreeMap<>();
  private long deposits;
  private long additions;
  private long transfers;

  /** An errand that was done. */
  void post(Errand errand) {
    if (errand instanceof Errand.Add add) {
      counters.merge(add.counter(), add.amount(), Long::sum);
      additions++;
    } else if (errand instanceof Errand.Move move) {
      balances.merge(move.source(), -move.amount(), Long::sum);
      balances.merge(move.target(), move.amount(), Long::sum);
      transfers++;
    } else if (errand instanceof Errand.Deposit deposit) {
      balances.merge(deposit.account(), deposit.amount(), Long::sum);
      deposits += deposit.amount();
    }
  }

  SortedMap<String, Long> counters() {
    return counters;
  }

  SortedMap<String, Long> balances() {
    return balances;
  }

  /** All money that was ever brought in. */
  long deposits() {
    return deposits;
  }

  long additions() {
    return additions;
  }

  long transfers() {
    return transfers;
  }
}
