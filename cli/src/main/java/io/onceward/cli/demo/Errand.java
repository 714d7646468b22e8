package io.onceward.cli.demo;

import java.util.random.RandomGenerator;

/** One thing that a client asks for. */
sealed interface Errand {
  String COUNTER_SERVICE = "counter";
  String LEDGER_SERVICE = "ledger";

  int COUNTERS = 8;
  int ACCOUNTS = 16;

  /** Small enough that some transfers find too little money: a business error is a reply too. */
  long FIRST_DEPOSIT = 1_000;

  int MOST_ADDED = 9;
  int MOST_MOVED = 250;

  /** Adds to a counter; the reply is its new value. */
  record Add(String counter, long amount) implements Errand {
    @Override
    public String print() {
      return "add " + counter + " " + amount;
    }
  }

  /** Moves money between accounts, if there is enough. */
  record Move(String source, String target, long amount) implements Errand {
    @Override
    public String print() {
      return "move " + source + " " + target + " " + amount;
    }
  }

  /** Brings money into the ledger; done once per account, before the clients begin. */
  record Deposit(String account, long amount) implements Errand {
    @Override
    public String print() {
      return "deposit " + account + " " + amount;
    }
  }

  String print();

  static String counter(int index) {
    return "hits-" + (index + 1);
  }

  static String account(int index) {
    return "account-" + (index + 1);
  }

  /** As many additions as transfers, spread evenly. */
  static Errand draw(RandomGenerator dice) {
    if (dice.nextBoolean()) {
      return new Add(counter(dice.nextInt(COUNTERS)), dice.nextInt(1, MOST_ADDED + 1));
    }
    int source = dice.nextInt(ACCOUNTS);
    int target = (source + dice.nextInt(1, ACCOUNTS)) % ACCOUNTS;
    return new Move(account(source), account(target), dice.nextInt(1, MOST_MOVED + 1));
  }

  /**
   * Reads what {@link #print} printed.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static Errand parse(String text) {
    String[] words = text.split(" ", -1);
    if (words.length == 3 && words[0].equals("add")) {
      return new Add(words[1], Long.parseLong(words[2]));
    }
    if (words.length == 3 && words[0].equals("deposit")) {
      return new Deposit(words[1], Long.parseLong(words[2]));
    }
    if (words.length == 4 && words[0].equals("move")) {
      return new Move(words[1], words[2], Long.parseLong(words[3]));
    }
    throw new IllegalArgumentException("not an errand: " + text);
  }
}
