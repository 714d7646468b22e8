package io.onceward.examples.ledger;

import io.onceward.Bytes;
import java.nio.ByteBuffer;

/**
 * The ledger in three numbers.
 *
 * @param accounts how many accounts are open
 * @param total what is in all of them
 * @param deposits what was ever brought in
 */
public record Books(long accounts, long total, long deposits) {

  /** A transfer that happened twice, or half, would show here. */
  public boolean balanced() {
    return total == deposits;
  }

  static Bytes encode(Books books) {
    ByteBuffer bytes = ByteBuffer.allocate(3 * Long.BYTES);
    bytes.putLong(books.accounts()).putLong(books.total()).putLong(books.deposits());
    return Bytes.of(bytes.array());
  }

  static Books decode(Bytes bytes) {
    return new Books(bytes.longAt(0), bytes.longAt(Long.BYTES), bytes.longAt(2 * Long.BYTES));
  }
}
