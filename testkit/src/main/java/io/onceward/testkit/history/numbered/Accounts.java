package io.onceward.testkit.history.numbered;

import io.onceward.Bytes;
import io.onceward.Command;
import io.onceward.Frozen;
import io.onceward.Reply;
import io.onceward.Service;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * A ledger: what is in all accounts is what was brought in, and nobody owes anything. A transfer
 * tells both balances, so that half of one cannot hide.
 */
final class Accounts implements Service {
  private static final int SNAPSHOT_VERSION = 1;

  private final TreeMap<String, Long> balances = new TreeMap<>();
  private long deposits;

  @Override
  public Reply execute(Command command) {
    return answer(command, true);
  }

  @Override
  public Reply query(Command question) {
    return answer(question, false);
  }

  private Reply answer(Command asked, boolean mayChange) {
    ByteBuffer in = asked.payload().asBuffer();
    try {
      byte code = in.get();
      long amount = in.getLong();
      if (code == AccountCommand.DEPOSIT && mayChange) {
        return deposit(name(in), amount);
      } else if (code == AccountCommand.TRANSFER && mayChange) {
        return transfer(name(in), name(in), amount);
      } else if (code == AccountCommand.BALANCE) {
        return numbers(balances.getOrDefault(name(in), 0L));
      } else if (code == AccountCommand.BOOKS) {
        return books();
      }
      return Reply.businessError("there is no account command " + code + " that may be sent so");
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      return Reply.businessError("malformed account command");
    }
  }

  private static String name(ByteBuffer in) {
    byte[] name = new byte[in.getShort()];
    in.get(name);
    return new String(name, StandardCharsets.UTF_8);
  }

  private Reply deposit(String account, long amount) {
    if (amount <= 0 || amount > Long.MAX_VALUE - deposits) {
      return Reply.businessError("cannot deposit " + amount);
    }
    deposits += amount;
    return numbers(balances.merge(account, amount, Long::sum));
  }

  private Reply transfer(String from, String to, long amount) {
    long source = balances.getOrDefault(from, 0L);
    if (amount <= 0 || from.equals(to)) {
      return Reply.businessError("cannot transfer " + amount + " from " + from + " to " + to);
    }
    if (source < amount) {
      return Reply.businessError(
          "insufficient funds: " + from + " has " + source + ", " + amount + " are needed");
    }
    balances.put(from, source - amount);
    return numbers(source - amount, balances.merge(to, amount, Long::sum));
  }

  private Reply books() {
    long total = 0;
    long lowest = 0;
    for (long balance : balances.values()) {
      total += balance;
      lowest = Math.min(lowest, balance);
    }
    return numbers(total, deposits, lowest);
  }

  private static Reply numbers(long... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
    for (long number : numbers) {
      bytes.putLong(number);
    }
    return Reply.ok(Bytes.of(bytes.array()));
  }

  @Override
  public Frozen freeze() {
    TreeMap<String, Long> frozen = new TreeMap<>(balances);
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
      throw new IOException("the accounts have version " + version + ", not " + SNAPSHOT_VERSION);
    }
    long restoredDeposits = in.readLong();
    int count = in.readInt();
    TreeMap<String, Long> restored = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      restored.put(in.readUTF(), in.readLong());
    }
    balances.clear();
    balances.putAll(restored);
    deposits = restoredDeposits;
  }
}
