package io.onceward.crash.bank;

/**
 * A transfer that happened.
 *
 * @param number of all movements of the bank
 * @param left in the source account after it
 */
public record Movement(long number, Transfer transfer, long left) {
  public String request() {
    return transfer.request();
  }

  /** What the bank answers. A second movement would be answered otherwise. */
  public String inWords() {
    return "movement " + number + " left " + left;
  }

  String line() {
    return number
        + " "
        + transfer.request()
        + " "
        + transfer.source()
        + " "
        + transfer.target()
        + " "
        + transfer.amount()
        + " "
        + left;
  }

  static Movement parse(String line) {
    String[] words = line.split(" ", -1);
    return new Movement(
        Long.parseLong(words[0]),
        new Transfer(words[1], words[2], words[3], Long.parseLong(words[4])),
        Long.parseLong(words[5]));
  }
}
