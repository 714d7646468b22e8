package io.onceward.testkit;

import io.onceward.testkit.Arguments.BadArgument;
import io.onceward.testkit.Simulation.Report;
import io.onceward.testkit.teeth.PlantedBug;
import io.onceward.testkit.teeth.Teeth;
import io.onceward.testkit.world.Parts;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The command {@code simulate}: runs seeds and shows the ones that fail, with the one command that
 * replays each; or plants bugs and shows who noticed.
 */
public final class Simulate {
  private static final int BAD_ARGUMENTS = 2;
  private static final int MOST_FAILURES_SHOWN = 10;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final long MILLIS_PER_HOUR = 3_600_000;

  private final Arguments arguments;
  private final Parts parts;
  private final PrintStream out;
  private final boolean terminal;
  private final Path folder;

  private Simulate(
      Arguments arguments, Parts parts, PrintStream out, boolean terminal, Path folder) {
    this.arguments = arguments;
    this.parts = parts;
    this.out = out;
    this.terminal = terminal;
    this.folder = folder;
  }

  /** Runs the command and exits with its code. */
  public static void main(String[] args) {
    PrintStream out = ProgramOutput.ofProcess();
    ProgramOutput.exit(
        out,
        run(
            List.of(args),
            Parts.HONEST,
            out,
            System.err,
            ProgressLine.onTerminal(),
            Path.of("onceward-simulate")));
  }

  /**
   * The command without the process around it; returns the exit code.
   *
   * @param folder where the details of failed seeds go that are too long to print
   */
  static int run(
      List<String> args,
      Parts parts,
      PrintStream out,
      PrintStream err,
      boolean terminal,
      Path folder) {
    List<String> given = new ArrayList<>(args);
    if (!given.isEmpty() && given.get(0).equals("simulate")) {
      given.remove(0);
    }
    Arguments arguments;
    try {
      arguments = Arguments.parse(given);
    } catch (BadArgument bad) {
      err.println("simulate: " + bad.getMessage());
      err.println("simulate --help says more");
      return BAD_ARGUMENTS;
    }
    if (arguments.help()) {
      out.print(Arguments.USAGE);
      return 0;
    }
    Simulate command = new Simulate(arguments, parts, out, terminal, folder);
    return command.isWell() ? 0 : 1;
  }

  private boolean isWell() {
    return arguments.teeth() ? plantBugs() : runSeeds();
  }

  // Seeds.

  private boolean runSeeds() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long startedNanos = threads.getCurrentThreadCpuTime();
    Simulation simulation =
        new Simulation(
            arguments.activeMillis(),
            parts,
            arguments.withModel(),
            arguments.verbose() ? out::println : null);
    ProgressLine progress = new ProgressLine(out, terminal, arguments.seeds());
    Map<String, Long> tally = new TreeMap<>();
    long activeMillis = 0;
    long skippedMillis = 0;
    long answers = 0;
    int failed = 0;
    for (int done = 1; done <= arguments.seeds(); done++) {
      Report report = simulation.run(arguments.from() + done - 1);
      activeMillis += report.activeMillis();
      skippedMillis += report.skippedMillis();
      answers += report.answers();
      report.tally().forEach((what, count) -> tally.merge(what, count, Long::sum));
      if (arguments.verbose()) {
        out.printf("seed %d trace hash %016x%n", report.seed(), report.traceHash());
      }
      if (!report.passed()) {
        failed++;
        progress.clear();
        showFailure(report, failed);
      }
      progress.show(done, failed == 0 ? " seeds" : " seeds, " + failed + " failed");
    }
    progress.clear();
    if (arguments.verbose()) {
      tally.forEach((what, count) -> out.println("seen " + count + " times: " + what));
    }
    double seconds = (threads.getCurrentThreadCpuTime() - startedNanos) / NANOS_PER_SECOND;
    double simulated = activeMillis / MILLIS_PER_SECOND;
    out.printf(
        Locale.ROOT,
        "%.0f simulated seconds with %.0f answers each, and %d hours skipped, in %.1f seconds of"
            + " one core: %.0f simulated seconds per second%n",
        simulated,
        answers / simulated,
        skippedMillis / MILLIS_PER_HOUR,
        seconds,
        simulated / seconds);
    out.println((arguments.seeds() - failed) + " passed, " + failed + " failed");
    return failed == 0;
  }

  private void showFailure(Report report, int failed) {
    if (failed > MOST_FAILURES_SHOWN) {
      return;
    }
    new FailureText(report, folder).print(out);
    out.println("  replay it: " + replay(report.seed()));
  }

  private String replay(long seed) {
    String minutes =
        arguments.minutesPerSeed() == Arguments.DEFAULT_MINUTES
            ? ""
            : " --minutes-per-seed " + arguments.minutesPerSeed();
    String model = arguments.withModel() ? "" : " --without-model";
    return "./onceward simulate --from " + seed + " --seeds 1" + minutes + model + " --verbose";
  }

  // Teeth.

  private boolean plantBugs() {
    Teeth teeth = new Teeth(arguments.activeMillis(), arguments.seeds(), arguments.withModel());
    PlantedBug[] bugs = PlantedBug.values();
    ProgressLine progress = new ProgressLine(out, terminal, bugs.length);
    Map<String, Integer> catchers = new TreeMap<>();
    int caught = 0;
    row("planted bug", "seeds", "caught by");
    for (int i = 0; i < bugs.length; i++) {
      if (terminal) {
        progress.show(i, " bugs: " + bugs[i].inWords());
      }
      Teeth.Bite bite = teeth.bite(bugs[i]);
      progress.clear();
      String catcher = bite.invariant();
      if (catcher != null) {
        caught++;
        catchers.merge(catcher, 1, Integer::sum);
      }
      row(bugs[i].inWords(), String.valueOf(bite.seeds()), catcher);
      if (arguments.verbose()) {
        out.println("    " + bite.whatHappened());
      }
    }
    int missed = bugs.length - caught;
    catchers.forEach((invariant, count) -> out.println(invariant + " caught " + count));
    out.println(caught + " caught, " + missed + " missed");
    out.println(caught + " passed, " + missed + " failed");
    return missed == 0;
  }

  private void row(String bug, String seeds, @Nullable String catcher) {
    out.printf("%-40s %5s  %s%n", bug, seeds, catcher == null ? "nobody: MISSED" : catcher);
  }
}
