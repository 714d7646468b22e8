package io.onceward.fuzz;

import io.onceward.files.FileTrouble;
import io.onceward.testkit.ProgramOutput;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The command {@code fuzz}: lets Jazzer search the decoders, one after the other. */
public final class Fuzz {
  private static final int BAD_ARGUMENTS = 2;
  private static final int SECONDS_PER_MINUTE = 60;
  private static final int MOST_MINUTES = 10_000;
  private static final String DEFAULT_FOLDER = "onceward-fuzz";
  private static final String ROW = "%-12s  %12s  %10s  %9s  %8s  %s%n";

  static final String USAGE =
      """
      fuzz [--target NAME] [--minutes N | --seconds N] [--seed S] [--folder FOLDER]
      fuzz --target NAME --replay FILE

      Searches for bytes that upset the decoders of what comes from outside: an exception that
      names no damage, memory taken for a length that only was claimed, something that does not
      come back as it was once it is written again. Guided by coverage (Jazzer).

        --target NAME    one of: questions, answers, log-entry, snapshot, restore, states,
                         payloads, ids, headers, metadata, journal, simple-door; default: all,
                         one after the other
        --minutes N      how long to search each target (default 1)
        --seconds N      the same in seconds
        --seed S         searches in the same order as another run with this seed (default: by
                         chance)
        --folder FOLDER  where inputs that reach new code are kept for the next run, and finds
                         are left (default onceward-fuzz)
        --replay FILE    gives one input to the target and shows what happens
        --help           prints this

      Exit code: 0 if nothing was found, 1 if something was, 2 for arguments that are not allowed,
      12 if nothing was found but the output cannot be written.
      """;

  private final PrintStream out;
  private final boolean terminal;
  private int shown;

  private Fuzz(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Runs the command and exits with its code. */
  @SuppressWarnings("SystemConsoleNull") // On Java 17 null is the answer; later a dumb one counts.
  public static void main(String[] args) throws Exception {
    PrintStream out = ProgramOutput.ofProcess();
    ProgramOutput.exit(out, run(List.of(args), out, System.err, System.console() != null));
  }

  /** The command without the process around it; returns the exit code. */
  static int run(List<String> args, PrintStream out, PrintStream err, boolean terminal)
      throws IOException, InterruptedException {
    List<Target> targets = List.of(Target.values());
    Target only = null;
    int seconds = SECONDS_PER_MINUTE;
    Path folder = Path.of(DEFAULT_FOLDER);
    Path replay = null;
    int seed = 0;
    for (int i = 0; i < args.size(); i++) {
      String argument = args.get(i);
      if (argument.equals("--help") || argument.equals("-h")) {
        out.print(USAGE);
        return 0;
      }
      if (i + 1 == args.size()) {
        return refuse(err, "nothing follows " + argument + ", or it is unknown");
      }
      String value = args.get(++i);
      switch (argument) {
        case "--target" -> {
          only = Target.named(value);
          if (only == null) {
            return refuse(
                err,
                "there is no target "
                    + value
                    + "; there are "
                    + Arrays.stream(Target.values())
                        .map(Target::text)
                        .collect(Collectors.joining(", ")));
          }
          targets = List.of(only);
        }
        case "--minutes", "--seconds" -> {
          boolean minutes = argument.equals("--minutes");
          int number = number(value);
          if (number < 0) {
            return refuse(err, argument + " takes a whole number from 1 to " + MOST_MINUTES);
          }
          seconds = minutes ? number * SECONDS_PER_MINUTE : number;
        }
        case "--seed" -> {
          seed = number(value);
          if (seed < 0) {
            return refuse(err, "--seed takes a whole number from 1 to " + MOST_MINUTES);
          }
        }
        case "--folder" -> folder = Path.of(value);
        case "--replay" -> replay = Path.of(value);
        default -> {
          return refuse(err, "unknown argument " + argument);
        }
      }
    }
    if (replay != null) {
      return only == null
          ? refuse(err, "--replay needs the --target whose input it is")
          : replay(only, replay, out, err);
    }
    String missing = Machine.missing();
    if (missing != null) {
      err.println("fuzz: Jazzer cannot run here, no " + missing);
      return 1;
    }
    return new Fuzz(out, terminal).findsNothing(targets, seconds, seed, folder) ? 0 : 1;
  }

  private static int number(String text) {
    try {
      int number = Integer.parseInt(text);
      return number >= 1 && number <= MOST_MINUTES ? number : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static int refuse(PrintStream err, String why) {
    err.println("fuzz: " + why);
    err.println("fuzz --help says more");
    return BAD_ARGUMENTS;
  }

  private static int replay(Target target, Path file, PrintStream out, PrintStream err) {
    byte[] input;
    try {
      input = Files.readAllBytes(file);
    } catch (IOException unreadable) {
      return refuse(err, "cannot read " + file + ": " + FileTrouble.inWords(unreadable));
    }
    try {
      target.take(input);
    } catch (RuntimeException | Error found) {
      found.printStackTrace(out);
      return 1;
    }
    out.println(target.text() + " takes the " + input.length + " bytes well");
    return 0;
  }

  private boolean findsNothing(List<Target> targets, int seconds, int seed, Path folder)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    List<Search.Result> results = new ArrayList<>();
    out.printf(ROW, "target", "executions", "per second", "coverage", "seconds", "result");
    for (Target target : targets) {
      String which =
          String.format(
              Locale.ROOT,
              "%d of %d: %s (%s)",
              results.size() + 1,
              targets.size(),
              target.text(),
              target.description());
      long finds = results.stream().filter(result -> !result.isClean()).count();
      Search.Result result =
          new Search(target, folder)
              .run(seconds, seed, now -> progress(which + ", " + now + ", " + finds + " finds"));
      results.add(result);
      clear();
      line(result);
      if (!result.isClean()) {
        show(result);
      }
    }
    return sum(results);
  }

  private void show(Search.Result result) {
    out.println(result.target().text() + ": " + result.trouble());
    Path find = result.find();
    if (find != null) {
      out.println("  the input: " + find);
      out.println(
          "  replay it: ./onceward fuzz --target " + result.target().text() + " --replay " + find);
    }
  }

  private boolean sum(List<Search.Result> results) {
    long executions = 0;
    double seconds = 0;
    int finds = 0;
    for (Search.Result result : results) {
      executions += result.executions();
      seconds += result.seconds();
      finds += result.isClean() ? 0 : 1;
    }
    out.printf(
        Locale.ROOT,
        "%d executions in %.0f seconds, %.0f per second%n",
        executions,
        seconds,
        executions / seconds);
    out.println((results.size() - finds) + " passed, " + finds + " failed");
    return finds == 0;
  }

  private void line(Search.Result result) {
    out.printf(
        Locale.ROOT,
        ROW,
        result.target().text(),
        result.executions(),
        result.perSecond(),
        result.coverage(),
        String.format(Locale.ROOT, "%.0f", result.seconds()),
        result.isClean() ? "nothing" : "FOUND");
  }

  private void progress(String line) {
    if (terminal) {
      out.print("\r" + line + " ".repeat(Math.max(0, shown - line.length())));
      out.flush();
      shown = line.length();
    }
  }

  private void clear() {
    if (terminal && shown > 0) {
      out.print("\r" + " ".repeat(shown) + "\r");
      shown = 0;
    }
  }
}
