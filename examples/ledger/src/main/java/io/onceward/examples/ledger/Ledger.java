package io.onceward.examples.ledger;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import io.onceward.examples.ledger.LedgerCommand.AuditBooks;
import io.onceward.examples.ledger.LedgerCommand.Balance;
import io.onceward.examples.ledger.LedgerCommand.Deposit;
import io.onceward.examples.ledger.LedgerCommand.OpenAccount;
import io.onceward.examples.ledger.LedgerCommand.Total;
import io.onceward.examples.ledger.LedgerCommand.Transfer;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Accounts and transfers: a service of one's own, as an example. The sum of all balances always
 * equals the sum of all deposits, and no balance is ever negative.
 *
 * <p>Onceward calls it from one thread, in the order of the log, once per request id. So there is
 * no lock here, no transaction, and no check for duplicates. In return it must be deterministic:
 * accounts are in a sorted map, since the order of a hash map is nobody's promise, and nothing asks
 * for the time.
 */
public final class Ledger implements Service {
  private static final int SNAPSHOT_VERSION = 1;

  private final SortedMap<String, Long> accounts = new TreeMap<>();
  private long deposits;

  /**
   * Checks first, changes last. What the domain forbids is a business error: an answer like any
   * other, which a retry gets again, even if the money has arrived in the meantime. An exception
   * would be remembered as "failed, perhaps in part".
   */
  @Override
  public Reply execute(Command command) {
    LedgerCommand asked;
    try {
      asked = LedgerCommand.decode(command.payload());
    } catch (IOException e) {
      return Reply.businessError("malformed command");
    }
    if (asked instanceof OpenAccount open) {
      return open(open.account());
    } else if (asked instanceof Deposit deposit) {
      return deposit(deposit.account(), deposit.amount());
    } else if (asked instanceof Transfer transfer) {
      return transfer(transfer.from(), transfer.to(), transfer.amount());
    }
    return Reply.businessError("this is a query, not a command");
  }

  private Reply open(String account) {
    if (account.isEmpty() || account.length() > LedgerCommand.MOST_CHARACTERS) {
      return Reply.businessError(
          "the name of an account has 1 to " + LedgerCommand.MOST_CHARACTERS + " characters");
    }
    if (accounts.containsKey(account)) {
      return Reply.businessError("account " + account + " is open already");
    }
    accounts.put(account, 0L);
    return balance(0);
  }

  private Reply deposit(String account, long amount) {
    Long balance = accounts.get(account);
    if (balance == null) {
      return unknown(account);
    }
    if (amount <= 0) {
      return notPositive(amount);
    }
    // No balance is above this sum, so that here is the only place where numbers could run out.
    if (amount > Long.MAX_VALUE - deposits) {
      return Reply.businessError("the ledger cannot hold " + amount + " more");
    }
    deposits += amount;
    accounts.put(account, balance + amount);
    return balance(balance + amount);
  }

  private Reply transfer(String from, String to, long amount) {
    Long source = accounts.get(from);
    Long target = accounts.get(to);
    if (source == null) {
      return unknown(from);
    }
    if (target == null) {
      return unknown(to);
    }
    if (from.equals(to)) {
      return Reply.businessError("a transfer needs two accounts, got " + from + " twice");
    }
    if (amount <= 0) {
      return notPositive(amount);
    }
    if (source < amount) {
      return Reply.businessError(
          "insufficient funds: " + from + " has " + source + ", " + amount + " are needed");
    }
    accounts.put(from, source - amount);
    accounts.put(to, target + amount);
    return balance(source - amount);
  }

  @Override
  public Reply query(Command question) {
    LedgerCommand asked;
    try {
      asked = LedgerCommand.decode(question.payload());
    } catch (IOException e) {
      return Reply.businessError("malformed query");
    }
    if (asked instanceof Balance of) {
      Long balance = accounts.get(of.account());
      return balance == null ? unknown(of.account()) : balance(balance);
    } else if (asked instanceof Total) {
      return balance(total());
    } else if (asked instanceof AuditBooks) {
      return Reply.ok(Books.encode(new Books(accounts.size(), total(), deposits)));
    }
    return Reply.businessError("this is a command, not a query");
  }

  private long total() {
    long total = 0;
    for (long balance : accounts.values()) {
      total += balance;
    }
    return total;
  }

  private static Reply balance(long balance) {
    return Reply.ok(Bytes.of(ByteBuffer.allocate(Long.BYTES).putLong(balance).array()));
  }

  private static Reply unknown(String account) {
    return Reply.businessError("there is no account " + account);
  }

  private static Reply notPositive(long amount) {
    return Reply.businessError("an amount must be positive, got " + amount);
  }

  /**
   * A copy of the accounts stands still while later commands execute. Copying takes a while if
   * there are many, and nothing is applied meanwhile: a ledger of a million accounts would rather
   * keep them in a map that shares its parts with its copies.
   */
  @Override
  public Frozen freeze() {
    SortedMap<String, Long> frozen = new TreeMap<>(accounts);
    long frozenDeposits = deposits;
    return target -> {
      DataOutputStream out = new DataOutputStream(target);
      out.writeByte(SNAPSHOT_VERSION);
      out.writeLong(frozenDeposits);
      out.writeInt(frozen.size());
      for (Map.Entry<String, Long> account : frozen.entrySet()) {
        out.writeUTF(account.getKey());
        out.writeLong(account.getValue());
      }
      out.flush();
    };
  }

  @Override
  public void restore(InputStream source) throws IOException {
    DataInputStream in = new DataInputStream(source);
    int version = in.readUnsignedByte();
    if (version != SNAPSHOT_VERSION) {
      throw new IOException("the ledger has version " + version + ", not " + SNAPSHOT_VERSION);
    }
    accounts.clear();
    deposits = in.readLong();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      accounts.put(in.readUTF(), in.readLong());
    }
  }
}
