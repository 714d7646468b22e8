package io.onceward.testkit;

import java.util.List;

/**
 * What the command {@code simulate} was asked to do.
 *
 * @param seeds how many seeds to run, or how many at most to try for each planted bug
 * @param from the first seed
 */
record Arguments(
    int seeds,
    long from,
    int minutesPerSeed,
    boolean verbose,
    boolean teeth,
    boolean withModel,
    boolean help) {

  /** An argument that is not allowed; the message says what is. */
  static final class BadArgument extends Exception {
    private static final long serialVersionUID = 1L;

    BadArgument(String message) {
      super(message);
    }
  }

  static final int DEFAULT_MINUTES = 1;
  private static final int DEFAULT_SEEDS = 100;
  private static final int DEFAULT_TEETH_SEEDS = 200;
  private static final int MOST_SEEDS = 1_000_000_000;
  private static final int MOST_MINUTES = 1_440;

  static final String USAGE =
      """
      simulate [--seeds N] [--from S] [--minutes-per-seed M] [--verbose]
      simulate --teeth [--without-model] [--seeds N] [--minutes-per-seed M]

      Runs a simulated cluster and its clients from a seed, breaks what can break, and holds
      every event against the invariants. The same seed does the same every time.

        --seeds N             how many seeds to run (default 100); with --teeth, how many to
                              try at most for each planted bug (default 200)
        --from S              the first seed (default 1)
        --minutes-per-seed M  simulated minutes in which clients work (default 1); the hours
                              that a seed skips come on top
        --verbose             prints every event, and the trace hash of each seed
        --teeth               plants known bugs and shows which invariant notices each of them
        --without-model       lets only the named invariants notice, not the reference model
        --help                prints this

      Exit code: 0 if all is well, 1 if a seed failed or a planted bug was missed, 2 for
      arguments that are not allowed, 12 if all is well but the output cannot be written.
      """;

  static Arguments parse(List<String> given) throws BadArgument {
    int seeds = 0;
    long from = 1;
    int minutes = DEFAULT_MINUTES;
    boolean verbose = false;
    boolean teeth = false;
    boolean withModel = true;
    boolean help = false;
    for (int i = 0; i < given.size(); i++) {
      String argument = given.get(i);
      switch (argument) {
        case "--seeds" -> seeds = (int) number(given, ++i, argument, 1, MOST_SEEDS);
        case "--from" -> from = number(given, ++i, argument, 0, Long.MAX_VALUE - MOST_SEEDS);
        case "--minutes-per-seed" -> minutes = (int) number(given, ++i, argument, 1, MOST_MINUTES);
        case "--verbose" -> verbose = true;
        case "--teeth" -> teeth = true;
        case "--without-model" -> withModel = false;
        case "--help", "-h" -> help = true;
        default ->
            throw new BadArgument(
                "unknown argument "
                    + argument
                    + "; allowed are --seeds, --from, --minutes-per-seed, --verbose, --teeth,"
                    + " --without-model and --help");
      }
    }
    if (seeds == 0) {
      seeds = teeth ? DEFAULT_TEETH_SEEDS : DEFAULT_SEEDS;
    }
    return new Arguments(seeds, from, minutes, verbose, teeth, withModel, help);
  }

  private static long number(List<String> given, int at, String argument, long least, long most)
      throws BadArgument {
    String allowed = argument + " takes a whole number from " + least + " to " + most;
    if (at >= given.size()) {
      throw new BadArgument(allowed + ", and nothing follows it");
    }
    String text = given.get(at);
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new BadArgument(allowed + ", not \"" + text + "\"");
    }
    throw new BadArgument(allowed + ", not " + text);
  }

  long activeMillis() {
    return minutesPerSeed * 60_000L;
  }
}
