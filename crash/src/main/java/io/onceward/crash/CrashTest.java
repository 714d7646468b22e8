package io.onceward.crash;

import io.onceward.crash.CrashArguments.BadArgument;
import io.onceward.testkit.ProgramOutput;
import io.onceward.testkit.ProgressLine;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * The command {@code crash-test}: kills processes in every home and shows a table; or plants
 * mistakes and shows how they were found.
 */
public final class CrashTest {
  private static final int BAD_ARGUMENTS = 2;

  /** Enough for every step of a home to come several times. */
  private static final int TEETH_ROUNDS = 60;

  private final CrashArguments arguments;
  private final PrintStream out;
  private final boolean terminal;

  private CrashTest(CrashArguments arguments, PrintStream out, boolean terminal) {
    this.arguments = arguments;
    this.out = out;
    this.terminal = terminal;
  }

  /** Runs the command and exits with its code. */
  public static void main(String[] args) {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
    PrintStream out = ProgramOutput.ofProcess();
    ProgramOutput.exit(out, run(List.of(args), out, System.err, ProgressLine.onTerminal()));
  }

  /** The command without the process around it; returns the exit code. */
  static int run(List<String> args, PrintStream out, PrintStream err, boolean terminal) {
    CrashArguments arguments;
    try {
      arguments = CrashArguments.parse(args);
    } catch (BadArgument bad) {
      err.println("crash-test: " + bad.getMessage());
      err.println("crash-test --help says more");
      return BAD_ARGUMENTS;
    }
    if (arguments.help()) {
      out.print(CrashArguments.USAGE);
      return 0;
    }
    CrashTest command = new CrashTest(arguments, out, terminal);
    return (arguments.teeth() ? command.plantBugs() : command.killProcesses()) ? 0 : 1;
  }

  private boolean killProcesses() {
    List<Tally> tallies = new ArrayList<>();
    try (Surroundings surroundings = new Surroundings()) {
      for (Home home : arguments.homes()) {
        ProgressLine progress =
            new ProgressLine(out, terminal && !arguments.json(), arguments.rounds());
        Campaign campaign =
            new Campaign(
                surroundings,
                home,
                null,
                arguments.rounds(),
                arguments.seed(),
                done -> {
                  if (!arguments.json()) {
                    progress.show(done, " rounds: " + home.text());
                  }
                });
        tallies.add(campaign.run());
        progress.clear();
      }
    }
    Report report = new Report(tallies);
    out.print(arguments.json() ? report.json() : report.table());
    return report.isClean();
  }

  private boolean plantBugs() {
    int found = 0;
    List<PlantedBug> bugs = new ArrayList<>();
    for (PlantedBug bug : PlantedBug.values()) {
      if (arguments.homes().contains(bug.home())) {
        bugs.add(bug);
      }
    }
    try (Surroundings surroundings = new Surroundings()) {
      ProgressLine progress = new ProgressLine(out, terminal, bugs.size());
      for (PlantedBug bug : bugs) {
        if (terminal) {
          progress.show(bugs.indexOf(bug), " mistakes: " + bug.inWords());
        }
        Campaign campaign =
            new Campaign(surroundings, bug.home(), bug, TEETH_ROUNDS, arguments.seed(), done -> {});
        Tally tally = campaign.run();
        progress.clear();
        found += tally.isClean() ? 0 : 1;
        out.printf(Locale.ROOT, "%-66s %s%n", bug.inWords(), noticed(tally));
      }
    }
    out.println(found + " found, " + (bugs.size() - found) + " missed");
    return found == bugs.size();
  }

  private static String noticed(Tally tally) {
    if (tally.isClean()) {
      return "nobody noticed: MISSED";
    }
    Tally.Row total = tally.total();
    String books =
        total.lost + " lost, " + total.doubled + " doubled, " + total.different + " different";
    return tally.burgled() == 0 ? books : books + ", " + tally.burgled() + " journals burgled";
  }
}
