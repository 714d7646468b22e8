package io.onceward.testkit.history;

import io.onceward.Bytes;
import io.onceward.Reply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A ledger of accounts. */
final class AccountModel extends ReferenceModel {
  private static final int DEPOSIT = 1;
  private static final int TRANSFER = 2;
  private static final int BALANCE = 3;
  private static final int BOOKS = 4;

  private final Map<String, Long> balances = new HashMap<>();
  private final Set<String> unsure = new HashSet<>();
  private long deposits;
  private boolean depositsUnsure;

  @Override
  Judgement executed(Bytes command, Moment moment, Reply told) {
    Words words = new Words(command);
    int code = words.u8();
    long amount = words.i64();
    return switch (code) {
      case DEPOSIT -> deposit(words.shortText(), amount, told);
      case TRANSFER -> transfer(words.shortText(), words.shortText(), amount, told);
      default -> read(code, words, told);
    };
  }

  @Override
  Judgement queried(Bytes question, Moment moment, Reply told) {
    Words words = new Words(question);
    int code = words.u8();
    words.i64();
    return read(code, words, told);
  }

  private Judgement deposit(String account, long amount, Reply told) {
    boolean possible = amount > 0 && (depositsUnsure || amount <= Long.MAX_VALUE - deposits);
    if (!possible) {
      return compare(Reply.businessError("cannot deposit " + amount), told);
    }
    deposits += amount;
    if (unsure.contains(account)) {
      return takeBalances(told, account);
    }
    long after = balances.getOrDefault(account, 0L) + amount;
    balances.put(account, after);
    return compare(numbers(after), told);
  }

  private Judgement transfer(String from, String to, long amount, Reply told) {
    if (amount <= 0 || from.equals(to)) {
      return compare(
          Reply.businessError("cannot transfer " + amount + " from " + from + " to " + to), told);
    }
    if (unsure.contains(from)) {
      return takeBalances(told, from, to);
    }
    long source = balances.getOrDefault(from, 0L);
    if (source < amount) {
      return compare(
          Reply.businessError(
              "insufficient funds: " + from + " has " + source + ", " + amount + " are needed"),
          told);
    }
    if (unsure.contains(to)) {
      return takeBalances(told, from, to);
    }
    long target = balances.getOrDefault(to, 0L);
    balances.put(from, source - amount);
    balances.put(to, target + amount);
    return compare(numbers(source - amount, target + amount), told);
  }

  private Judgement read(int code, Words words, Reply told) {
    if (code == BALANCE) {
      String account = words.shortText();
      return unsure.contains(account)
          ? takeBalances(told, account)
          : compare(numbers(balances.getOrDefault(account, 0L)), told);
    } else if (code == BOOKS) {
      if (depositsUnsure || !unsure.isEmpty()) {
        return TAKEN;
      }
      long total = balances.values().stream().mapToLong(Long::longValue).sum();
      return compare(numbers(total, deposits, 0), told);
    }
    return differs("a command that this model knows, got " + code);
  }

  /** A business error tells too little to be sure afterwards. */
  private Judgement takeBalances(Reply told, String... accounts) {
    if (isOk(told)) {
      Words reply = new Words(told.bytes());
      for (String account : accounts) {
        balances.put(account, reply.i64());
        unsure.remove(account);
      }
    }
    return TAKEN;
  }

  private static Reply numbers(long... numbers) {
    Words.Writer out = new Words.Writer();
    for (long number : numbers) {
      out.i64(number);
    }
    return Reply.ok(out.done());
  }

  @Override
  void missed(List<Bytes> candidates) {
    for (Bytes command : candidates) {
      Words words = new Words(command);
      int code = words.u8();
      words.i64();
      if (code == DEPOSIT) {
        depositsUnsure = true;
        unsure.add(words.shortText());
      } else if (code == TRANSFER) {
        unsure.add(words.shortText());
        unsure.add(words.shortText());
      }
    }
  }
}
