package io.onceward.crash;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the command {@code crash-test} was asked to do. */
record CrashArguments(
    int rounds, List<Home> homes, long seed, boolean json, boolean teeth, boolean help) {

  /** An argument that is not allowed; the message says what is. */
  static final class BadArgument extends Exception {
    private static final long serialVersionUID = 1L;

    BadArgument(String message) {
      super(message);
    }
  }

  private static final int DEFAULT_ROUNDS = 1_000;
  private static final int MOST_ROUNDS = 10_000_000;

  static final String USAGE =
      """
      crash-test [--rounds N] [--home NAME]... [--seed S] [--json]
      crash-test --teeth [--seed S]

      Kills a process with SIGKILL at every step of a transfer, sends the same request again to the
      next process, and at the end holds what callers were told against the books: nothing may be
      lost, nothing doubled, and every retry answered the same.

        --rounds N   how many requests in each home meet a kill (default 1000)
        --home NAME  only this home, may be given more than once: transaction, guard-jdbc,
                     guard-cluster, replicated
        --seed S     determines steps and amounts (default 1); when exactly a kill arrives is the
                     machine's business
        --json       prints the result as one object
        --teeth      plants known mistakes instead and shows how each of them is found
        --help       prints this

      Exit code: 0 if all is well, 1 if anything was lost, doubled or answered differently, or a
      planted mistake was not found, 2 for arguments that are not allowed, 12 if all is well but
      the output cannot be written.
      """;

  static CrashArguments parse(List<String> given) throws BadArgument {
    int rounds = DEFAULT_ROUNDS;
    List<Home> homes = new ArrayList<>();
    long seed = 1;
    boolean json = false;
    boolean teeth = false;
    boolean help = false;
    for (int i = 0; i < given.size(); i++) {
      String argument = given.get(i);
      switch (argument) {
        case "--rounds" -> rounds = (int) number(argument, value(given, ++i, argument), 1);
        case "--seed" -> seed = number(argument, value(given, ++i, argument), 0);
        case "--home" -> homes.add(home(value(given, ++i, argument)));
        case "--json" -> json = true;
        case "--teeth" -> teeth = true;
        case "--help", "-h" -> help = true;
        default ->
            throw new BadArgument(
                "unknown argument "
                    + argument
                    + "; allowed are --rounds, --home, --seed, --json, --teeth and --help");
      }
    }
    return new CrashArguments(
        rounds, homes.isEmpty() ? List.of(Home.values()) : homes, seed, json, teeth, help);
  }

  private static String value(List<String> given, int at, String argument) throws BadArgument {
    if (at >= given.size()) {
      throw new BadArgument("nothing follows " + argument);
    }
    return given.get(at);
  }

  private static Home home(String name) throws BadArgument {
    Home found = find(name);
    if (found == null) {
      throw new BadArgument(
          "there is no home "
              + name
              + "; there are transaction, guard-jdbc, guard-cluster and replicated");
    }
    return found;
  }

  private static @Nullable Home find(String name) {
    for (Home home : Home.values()) {
      if (home.text().equals(name)) {
        return home;
      }
    }
    return null;
  }

  private static long number(String argument, String text, long least) throws BadArgument {
    String allowed = argument + " takes a whole number from " + least + " to " + MOST_ROUNDS;
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= MOST_ROUNDS) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new BadArgument(allowed + ", not \"" + text + "\"");
    }
    throw new BadArgument(allowed + ", not " + text);
  }
}
