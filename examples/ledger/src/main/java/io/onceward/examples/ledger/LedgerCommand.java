package io.onceward.examples.ledger;

import io.onceward.Bytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What the ledger can be asked. The first three change something and are sent as commands; the
 * others are queries.
 *
 * <p>The bytes are whatever you like: to Onceward a command is a run of bytes. Here it is one byte
 * that tells the kind, then the fields as {@link DataOutputStream} writes them.
 */
public sealed interface LedgerCommand {
  /** The longest name of an account, in characters. */
  int MOST_CHARACTERS = 64;

  /** Opens an account with nothing in it. */
  record OpenAccount(String account) implements LedgerCommand {}

  /** Brings money into the ledger. */
  record Deposit(String account, long amount) implements LedgerCommand {}

  /** Moves money within the ledger. */
  record Transfer(String from, String to, long amount) implements LedgerCommand {}

  /** How much is in an account? */
  record Balance(String account) implements LedgerCommand {}

  /** How much is in all accounts together? */
  record Total() implements LedgerCommand {}

  /** How many accounts, how much in them, how much was ever deposited? */
  record AuditBooks() implements LedgerCommand {}

  static Bytes encode(LedgerCommand command) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      if (command instanceof OpenAccount c) {
        out.writeByte(1);
        out.writeUTF(c.account());
      } else if (command instanceof Deposit c) {
        out.writeByte(2);
        out.writeUTF(c.account());
        out.writeLong(c.amount());
      } else if (command instanceof Transfer c) {
        out.writeByte(3);
        out.writeUTF(c.from());
        out.writeUTF(c.to());
        out.writeLong(c.amount());
      } else if (command instanceof Balance c) {
        out.writeByte(4);
        out.writeUTF(c.account());
      } else if (command instanceof Total) {
        out.writeByte(5);
      } else if (command instanceof AuditBooks) {
        out.writeByte(6);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the names are too long to be written", e);
    }
    return Bytes.of(bytes.toByteArray());
  }

  /**
   * Reads a command.
   *
   * @throws IOException if the bytes are none
   */
  static LedgerCommand decode(Bytes payload) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload.toArray()));
    int kind = in.readUnsignedByte();
    LedgerCommand command =
        switch (kind) {
          case 1 -> new OpenAccount(in.readUTF());
          case 2 -> new Deposit(in.readUTF(), in.readLong());
          case 3 -> new Transfer(in.readUTF(), in.readUTF(), in.readLong());
          case 4 -> new Balance(in.readUTF());
          case 5 -> new Total();
          case 6 -> new AuditBooks();
          default -> throw new IOException("no command has the number " + kind);
        };
    if (in.available() > 0) {
      throw new IOException("bytes follow the end");
    }
    return command;
  }
}
