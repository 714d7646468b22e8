package io.onceward.testkit.history.numbered;

import io.onceward.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What {@link Accounts} is asked, as bytes: a code, an i64 amount (0 where there is none), and the
 * names of accounts, each as an i16 length and UTF-8.
 */
public final class AccountCommand {
  static final byte DEPOSIT = 1;
  static final byte TRANSFER = 2;
  static final byte BALANCE = 3;
  static final byte BOOKS = 4;

  private AccountCommand() {}

  /** Brings money in, which opens the account if need be. Answered by its balance. */
  public static Bytes deposit(String account, long amount) {
    return encode(DEPOSIT, amount, account);
  }

  /** Answered by the balances of both afterwards, or a business error. */
  public static Bytes transfer(String from, String to, long amount) {
    return encode(TRANSFER, amount, from, to);
  }

  /** Answered by the balance, 0 if nobody brought anything; also as a query. */
  public static Bytes balance(String account) {
    return encode(BALANCE, 0, account);
  }

  /**
   * Answered by three numbers: what is in all accounts, what was ever brought in, and the lowest
   * balance, or 0 if none is below; also as a query.
   */
  public static Bytes books() {
    return encode(BOOKS, 0);
  }

  private static Bytes encode(byte code, long amount, String... accounts) {
    int length = 1 + Long.BYTES;
    byte[][] names = new byte[accounts.length][];
    for (int i = 0; i < names.length; i++) {
      names[i] = accounts[i].getBytes(StandardCharsets.UTF_8);
      if (names[i].length > Short.MAX_VALUE) {
        throw new IllegalArgumentException("a name of " + names[i].length + " bytes is too long");
      }
      length += Short.BYTES + names[i].length;
    }
    ByteBuffer bytes = ByteBuffer.allocate(length).put(code).putLong(amount);
    for (byte[] name : names) {
      bytes.putShort((short) name.length).put(name);
    }
    return Bytes.of(bytes.array());
  }
}
