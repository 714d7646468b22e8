package io.onceward.cli.demo;

import io.onceward.Bytes;
import io.onceward.examples.ledger.LedgerCommand;
import io.onceward.services.CounterCommand;

/** Errands in the words of the services. */
final class Orders {
  private Orders() {}

  static String service(Errand errand) {
    return errand instanceof Errand.Add ? Errand.COUNTER_SERVICE : Errand.LEDGER_SERVICE;
  }

  static Bytes command(Errand errand) {
    if (errand instanceof Errand.Add add) {
      return CounterCommand.encode(new CounterCommand.Add(add.counter(), add.amount()));
    } else if (errand instanceof Errand.Move move) {
      return LedgerCommand.encode(
          new LedgerCommand.Transfer(move.source(), move.target(), move.amount()));
    } else if (errand instanceof Errand.Deposit deposit) {
      return LedgerCommand.encode(new LedgerCommand.Deposit(deposit.account(), deposit.amount()));
    }
    throw new IllegalArgumentException("no service is for " + errand);
  }
}
