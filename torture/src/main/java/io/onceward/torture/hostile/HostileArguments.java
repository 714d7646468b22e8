package io.onceward.torture.hostile;

import java.util.ArrayList;
import java.util.List;

/**
 * What the command {@code hostile} was asked to do.
 *
 * @param attacks those to carry out, in this order
 */
record HostileArguments(int seconds, List<Attack.Aimed> attacks, boolean list, boolean help) {

  /** An argument that is not allowed; the message says what is. */
  static final class BadArgument extends Exception {
    private static final long serialVersionUID = 1L;

    BadArgument(String message) {
      super(message);
    }
  }

  private static final int DEFAULT_SECONDS = 10;

  static final String USAGE =
      """
      hostile [--seconds N] [--attack NAME]... [--list]

      Starts a server and attacks it from raw sockets, one attack after the other, while honest
      clients go on asking 200 times a second. All is well if honest requests are all answered,
      with a p99 of at most twice what it is without an attack; if the node lives within its -Xmx;
      if what it had promised is replayed after the attack, sessions live, nothing was lost or
      doubled; and if it lets go of every connection.

      What is compared are medians. Without an attack: of the p99 of the last nine measurements
      of N seconds each, of which there are three after the warm-up and one before each attack.
      With it: the p99 of N seconds; but an attack that comes out slow is carried out three times,
      each with its own measurement before it, and the median of the three counts. Before that, it
      is rehearsed for 10 seconds, so that Java has compiled what it runs.

      An attack that is slow even so is carried out on a second node, which honest clients do not
      ask. What they notice then is the machine's doing, not their node's: they may be slow during
      the attack on theirs if it is at most twice as slow as that ("machine" in the table).

        --seconds N    how long each attack goes on, and the measurement before it (default 10)
        --attack NAME  only this attack; repeat it for several; NAME@peers for the port for peers
        --list         prints the attacks with their names
        --help         prints this

      The attacker is a process of its own that runs only while nobody else wants its core, strikes
      100 times a second, and does a fixed amount of harm with each: about 10,000 frames a second in
      floods, 200 connections a second, 32 MiB a second in bulk; 10,000 connections in all where it
      is about connections.

      Exit code: 0 if all is well, 1 if anything is not, 2 for arguments that are not allowed,
      12 if all is well but the output cannot be written.
      """;

  static HostileArguments parse(List<String> given) throws BadArgument {
    int seconds = DEFAULT_SECONDS;
    List<Attack.Aimed> attacks = new ArrayList<>();
    boolean list = false;
    boolean help = false;
    for (int i = 0; i < given.size(); i++) {
      String argument = given.get(i);
      switch (argument) {
        case "--seconds" -> seconds = seconds(value(given, ++i, argument));
        case "--attack" -> attacks.add(attack(value(given, ++i, argument)));
        case "--list" -> list = true;
        case "--help", "-h" -> help = true;
        default ->
            throw new BadArgument(
                "unknown argument "
                    + argument
                    + "; allowed are --seconds, --attack, --list and --help");
      }
    }
    return new HostileArguments(seconds, attacks.isEmpty() ? Attack.all() : attacks, list, help);
  }

  private static String value(List<String> given, int at, String argument) throws BadArgument {
    if (at >= given.size()) {
      throw new BadArgument("nothing follows " + argument);
    }
    return given.get(at);
  }

  private static int seconds(String text) throws BadArgument {
    try {
      int seconds = Integer.parseInt(text);
      if (seconds >= 1 && seconds <= 3_600) {
        return seconds;
      }
    } catch (NumberFormatException notANumber) {
      // Said below, as for a number out of range.
    }
    throw new BadArgument("--seconds takes a whole number from 1 to 3600, not \"" + text + "\"");
  }

  private static Attack.Aimed attack(String name) throws BadArgument {
    return Attack.named(name)
        .orElseThrow(
            () -> new BadArgument("there is no attack \"" + name + "\"; --list names them all"));
  }
}
