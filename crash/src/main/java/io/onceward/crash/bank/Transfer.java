package io.onceward.crash.bank;

import io.onceward.Bytes;

/** What is to happen once. Its words have no spaces in them. */
public record Transfer(String request, String source, String target, long amount) {
  /** What every account has in the beginning. */
  public static final long OPENING = 1_000_000_000L;

  /** More than any account ever has: always declined. */
  public static final long TOO_MUCH = 2 * OPENING;

  public Bytes encode() {
    return Bytes.utf8(request + " " + source + " " + target + " " + amount);
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException if it is not that
   */
  public static Transfer decode(Bytes bytes) {
    String[] words = bytes.asText().split(" ", -1);
    if (words.length != 4) {
      throw new IllegalArgumentException("no transfer: " + bytes);
    }
    return new Transfer(words[0], words[1], words[2], Long.parseLong(words[3]));
  }

  /** What the bank says if the account has too little. The balance makes it tell of its moment. */
  public String declined(long balance) {
    return "declined: " + source + " has " + balance;
  }
}
