package io.onceward.model;

import io.onceward.testkit.ProgramOutput;
import io.onceward.testkit.ProgressLine;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The command {@code model}: lets TLC visit all states of the model, and shows that mutants fail.
 */
public final class Model {
  private static final int BAD_ARGUMENTS = 2;
  private static final int SHORTEST_NAME = 5;

  static final String USAGE =
      """
      model [--small] [--only NAME] [--trace]

      Lets TLC visit every state of a model of the replicated home in TLA+: opening, window,
      watermark, expiry, snapshots, under changes of leader and messages that come late, twice,
      never or in any order. Then plants mistakes in the model and shows that each is noticed.
      docs/model.md tells how to read it.

        --small      a part of the model, and the mutants: seconds instead of minutes
        --only NAME  one of: Wide, Reopening, Overtaking, Progress, Small, TableLeftOut,
                     DecidedAtTheDoor, LocalExpiry, WatermarkPasses, WatermarkRegresses, NoFencing
        --trace      prints the counterexamples, state by state
        --help       prints this

      Exit code: 0 if the model holds and every mutant fails, 1 if not, 2 for arguments that are
      not allowed, 12 if all is well but the output cannot be written.
      """;

  private final PrintStream out;
  private final boolean terminal;
  private int shown;

  private Model(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Runs the command and exits with its code. */
  public static void main(String[] args) throws IOException {
    PrintStream out = ProgramOutput.ofProcess();
    ProgramOutput.exit(out, run(List.of(args), out, System.err, ProgressLine.onTerminal()));
  }

  /** The command without the process around it; returns the exit code. */
  static int run(List<String> args, PrintStream out, PrintStream err, boolean terminal)
      throws IOException {
    boolean small = false;
    boolean trace = false;
    Check only = null;
    for (int i = 0; i < args.size(); i++) {
      switch (args.get(i)) {
        case "--small" -> small = true;
        case "--trace" -> trace = true;
        case "--help", "-h" -> {
          out.print(USAGE);
          return 0;
        }
        case "--only" -> {
          only = ++i < args.size() ? Check.named(args.get(i)) : null;
          if (only == null) {
            return refuse(
                err,
                "--only takes the name of a check: "
                    + Arrays.stream(Check.values())
                        .map(Check::text)
                        .collect(Collectors.joining(", ")));
          }
        }
        default -> {
          return refuse(err, "unknown argument " + args.get(i));
        }
      }
    }
    List<Check> checks = only == null ? Check.all(small) : List.of(only);
    return new Model(out, terminal).areAsTheyMustBe(checks, trace) ? 0 : 1;
  }

  private static int refuse(PrintStream err, String why) {
    err.println("model: " + why);
    err.println("model --help says more");
    return BAD_ARGUMENTS;
  }

  private boolean areAsTheyMustBe(List<Check> checks, boolean trace) throws IOException {
    Tlc tlc = new Tlc(Runtime.getRuntime().availableProcessors());
    List<Finding> findings = new ArrayList<>();
    for (Check check : checks) {
      String which = (findings.size() + 1) + " of " + checks.size() + ": " + check.text();
      show(which + " (" + check.description() + ")");
      Finding finding;
      try (Ticker ticker = new Ticker(line -> progress(which + line))) {
        finding = tlc.run(check, ticker::says);
      }
      findings.add(finding);
      if (finding.trouble() != null || trace && finding.violated() != null) {
        clear();
        out.println(finding.output());
      }
    }
    clear();
    table(findings);
    long well = findings.stream().filter(Finding::isAsItMustBe).count();
    out.println(well + " passed, " + (findings.size() - well) + " failed");
    return well == findings.size();
  }

  private void table(List<Finding> findings) {
    int width =
        findings.stream().mapToInt(f -> f.check().text().length()).max().orElse(SHORTEST_NAME);
    String row = "%-" + width + "s  %10s  %10s  %5s  %7s  %s%n";
    out.printf(row, "model", "states", "distinct", "depth", "seconds", "result");
    for (Finding finding : findings) {
      out.printf(
          row,
          finding.check().text(),
          finding.states(),
          finding.distinct(),
          finding.depth(),
          String.format(Locale.ROOT, "%.1f", finding.seconds()),
          finding.result());
    }
  }

  /** One line per check anywhere; on a terminal one line that changes in place. */
  private void show(String line) {
    if (terminal) {
      progress(line);
    } else {
      out.println(line);
    }
  }

  private synchronized void progress(String line) {
    if (terminal) {
      out.print("\r" + line + " ".repeat(Math.max(0, shown - line.length())));
      out.flush();
      shown = line.length();
    }
  }

  private synchronized void clear() {
    if (terminal && shown > 0) {
      out.print("\r" + " ".repeat(shown) + "\r");
      shown = 0;
    }
  }
}
