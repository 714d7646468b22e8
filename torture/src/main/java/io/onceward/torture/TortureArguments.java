package io.onceward.torture;

import io.onceward.torture.Fault.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the command {@code torture} was asked to do.
 *
 * @param only the faults that may happen; empty for all that the machine allows
 * @param mistakes the names of those to plant; empty for all
 * @param anyPace whether it does not matter how soon requests are decided again
 * @param report where to write the page about the run; null for a name made of the seed
 */
public record TortureArguments(
    int seconds,
    long seed,
    int nodes,
    int perSecond,
    int copiesPercent,
    boolean loopback,
    Set<Kind> only,
    boolean anyPace,
    @Nullable Path report,
    boolean keep,
    boolean verbose,
    boolean teeth,
    List<String> mistakes,
    boolean help) {

  /** An argument that is not allowed; the message says what is. */
  static final class BadArgument extends Exception {
    private static final long serialVersionUID = 1L;

    BadArgument(String message) {
      super(message);
    }
  }

  static final int DEFAULT_SECONDS = 600;
  static final int DEFAULT_RATE = 6_000;
  static final int DEFAULT_COPIES = 25;

  static final String USAGE =
      """
      torture [--minutes N | --seconds N] [--seed S] [--nodes 3|5] [--rate N] [--copies P]
              [--only FAULT,...] [--loopback] [--any-pace] [--report FILE] [--keep]
      torture --teeth [--mistake NAME]... [--seed S]

      Starts a cluster of real processes and clients that ask without pause, lets faults happen to
      them from a seed, several at once, and checks the history of every request: none twice, none
      lost, every copy answered the same, in the order of real time, as a model of each service
      answers; and all nodes equal in the end.

        --minutes N   how long the faults go on (default 10); --seconds N likewise
        --seed S      determines kinds, victims and times of the faults (default 1); what the
                      machine makes of them is its own business
        --nodes N     3 or 5 members (default 3); one node more waits to become a member
        --rate N      how many requests a second all clients together ask for (default 6000)
        --copies P    how many of 100 requests are sent more than once on purpose (default 25)
        --only LIST   only these faults, separated by commas; --only help lists them
        --loopback    no network namespaces, disks and packet filters, even as root
        --any-pace    does not check how soon requests are decided again after a fault: for
                      machines that have other work, too
        --report FILE where the page about the run is written (default torture-SEED.html)
        --keep        keeps the folder with histories, logs and data
        --verbose     has the nodes' logs, which are in that folder, say more
        --teeth       plants known mistakes in servers and clients instead, and shows how each of
                      them is found
        --mistake NAME  plants only this one, may be given more than once; an unknown name lists
                      them all
        --help        prints this

      As root, and with ip, iptables, mkfs.ext4 and xfs_io, each node has a network namespace and a
      disk of its own that can lose its power; with libfaketime clocks jump, with libfiu disks fail.
      What the machine does not have is named at the beginning and left out.

      Exit code: 0 if all is well, 1 if anything was violated or a planted mistake was not found,
      2 for arguments that are not allowed, 12 if all is well but the output cannot be written.
      """;

  static TortureArguments parse(List<String> given) throws BadArgument {
    int seconds = DEFAULT_SECONDS;
    long seed = 1;
    int nodes = 3;
    int perSecond = DEFAULT_RATE;
    int copies = DEFAULT_COPIES;
    boolean loopback = false;
    Set<Kind> only = EnumSet.noneOf(Kind.class);
    boolean anyPace = false;
    Path report = null;
    boolean keep = false;
    boolean verbose = false;
    boolean teeth = false;
    List<String> mistakes = new ArrayList<>();
    boolean help = false;
    for (int i = 0; i < given.size(); i++) {
      String argument = given.get(i);
      switch (argument) {
        case "--minutes" -> seconds = 60 * number(argument, given, ++i, 1, 10_000);
        case "--seconds" -> seconds = number(argument, given, ++i, 1, 600_000);
        case "--seed" -> seed = number(argument, given, ++i, 0, Integer.MAX_VALUE);
        case "--nodes" -> nodes = nodes(number(argument, given, ++i, 3, 5));
        case "--rate" -> perSecond = number(argument, given, ++i, 1, 1_000_000);
        case "--copies" -> copies = number(argument, given, ++i, 0, 100);
        case "--only" -> only.addAll(kinds(value(argument, given, ++i)));
        case "--loopback" -> loopback = true;
        case "--any-pace" -> anyPace = true;
        case "--report" -> report = Path.of(value(argument, given, ++i));
        case "--keep" -> keep = true;
        case "--verbose" -> verbose = true;
        case "--teeth" -> teeth = true;
        case "--mistake" -> mistakes.add(value(argument, given, ++i));
        case "--help", "-h" -> help = true;
        default ->
            throw new BadArgument(
                "unknown argument "
                    + argument
                    + "; allowed are --minutes, --seconds, --seed, --nodes, --rate, --copies,"
                    + " --only, --loopback, --any-pace, --report, --keep, --verbose, --teeth, --mistake"
                    + " and --help");
      }
    }
    return new TortureArguments(
        seconds, seed, nodes, perSecond, copies, loopback, only, anyPace, report, keep, verbose,
        teeth, mistakes, help);
  }

  /** A short run under some faults, for a planted mistake. */
  public static TortureArguments ofTeeth(int seconds, long seed, int perSecond, Set<Kind> only) {
    return new TortureArguments(
        seconds, seed, 3, perSecond, 50, false, only, false, null, false, false, true, List.of(),
        false);
  }

  /** The words that repeat the run. */
  String command() {
    StringBuilder words = new StringBuilder("./onceward torture");
    words.append(seconds % 60 == 0 ? " --minutes " + seconds / 60 : " --seconds " + seconds);
    words.append(" --seed ").append(seed);
    if (nodes != 3) {
      words.append(" --nodes ").append(nodes);
    }
    if (perSecond != DEFAULT_RATE) {
      words.append(" --rate ").append(perSecond);
    }
    if (copiesPercent != DEFAULT_COPIES) {
      words.append(" --copies ").append(copiesPercent);
    }
    if (!only.isEmpty()) {
      words.append(" --only ").append(names(only));
    }
    words.append(loopback ? " --loopback" : "");
    return words.append(anyPace ? " --any-pace" : "").toString();
  }

  private static String value(String argument, List<String> given, int at) throws BadArgument {
    if (at >= given.size()) {
      throw new BadArgument("nothing follows " + argument);
    }
    return given.get(at);
  }

  private static int number(String argument, List<String> given, int at, int least, int most)
      throws BadArgument {
    String text = value(argument, given, at);
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // Said below, as for a number out of range.
    }
    throw new BadArgument(
        argument
            + " takes a whole number from "
            + least
            + " to "
            + most
            + ", not \""
            + text
            + "\"");
  }

  private static int nodes(int number) throws BadArgument {
    if (number == 4) {
      throw new BadArgument("--nodes is 3 or 5: four tolerate no more than three do");
    }
    return number;
  }

  private static Set<Kind> kinds(String list) throws BadArgument {
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    for (String name : list.split(",", -1)) {
      Kind found =
          Arrays.stream(Kind.values())
              .filter(kind -> name(kind).equals(name))
              .findFirst()
              .orElse(null);
      if (found == null) {
        throw new BadArgument(
            "there is no fault \""
                + name
                + "\"; there are "
                + names(EnumSet.allOf(Kind.class)).replace(",", ", "));
      }
      kinds.add(found);
    }
    return kinds;
  }

  static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String names(Set<Kind> kinds) {
    return kinds.stream().map(TortureArguments::name).collect(Collectors.joining(","));
  }
}
