package io.onceward.crash.bank;

import io.onceward.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Accounts, and a book of the movements between them. It knows nothing of request ids but to write
 * them down: asked twice, it moves twice.
 */
final class Bank {
  private final TreeMap<String, Long> accounts = new TreeMap<>();
  private final List<Movement> movements = new ArrayList<>();

  Reply transfer(Transfer transfer) {
    long balance = balance(transfer.source());
    if (balance < transfer.amount()) {
      return Reply.businessError(transfer.declined(balance));
    }
    Movement movement = new Movement(movements.size() + 1L, transfer, balance - transfer.amount());
    book(movement);
    return Reply.ok(movement.inWords());
  }

  void book(Movement movement) {
    Transfer transfer = movement.transfer();
    accounts.put(transfer.source(), balance(transfer.source()) - transfer.amount());
    accounts.put(transfer.target(), balance(transfer.target()) + transfer.amount());
    movements.add(movement);
  }

  private long balance(String account) {
    return accounts.getOrDefault(account, Transfer.OPENING);
  }

  List<Movement> movements() {
    return List.copyOf(movements);
  }
}
