package io.onceward.cli.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code onceward demo}: breaks a cluster for a minute and proves that it kept its books. */
@Command(
    name = "demo",
    description = {
      "Watch a cluster lose its leader, and everything happens once. Starts three server processes",
      "and four client processes that add to counters and move money. Kills, pauses and cuts them",
      "off for a minute, restarts the clients that have a journal, then stops and proves the"
          + " books:",
      "every request decided once, counters exact, ledger balanced, all replicas the same.",
      "",
      "Everything runs on loopback and in a temporary folder; nothing is left behind."
    },
    footer = {
      "",
      "Below the chart: K a node was killed, P paused, C connections were cut, refused or stalled,",
      "R a client was killed and restarted.",
      "",
      "Exit codes: 0 the books are right; 1 they are not, or the demo could not be finished, and"
          + " the",
      "data is kept as evidence; 2 the command line is wrong.",
      "",
      "Examples:",
      "  onceward demo",
      "  onceward demo --seconds 300 --nodes 5",
      "  onceward demo --seed 4711          the same faults in the same order as the last time",
      "  onceward demo --no-faults          how it looks when nothing goes wrong",
      "  onceward demo --json | jq -c 'select(.is == \"finding\")'"
    })
public final class Demo implements Callable<Integer> {
  private static final int LEAST_SECONDS = 5;
  private static final int MOST_SECONDS = 3_600;
  private static final int MOST_NODES = 7;
  private static final int MOST_PER_SECOND = 20_000;
  private static final int SEEDS = 1_000_000;

  /** What a shell takes for the end by Ctrl-C. */
  private static final int INTERRUPTED = 130;

  private final PrintStream out;
  private final PrintStream err;
  private final Map<String, String> environment;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Decides which faults come, when and in which order. Default: any.")
  private @Nullable Long seed;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long the clients work, from 5 to 3600. Default: 60.")
  private int seconds = 60;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "How many nodes, from 1 to 7. Default: 3.")
  private int nodes = 3;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "How many requests per second all clients send at most, from 4 to 20000. Default: 4000.")
  private int perSecond = 4_000;

  @Option(names = "--no-faults", description = "Let nothing go wrong.")
  private boolean noFaults;

  @Option(names = "--keep", description = "Keep data folders, journals and records, and say where.")
  private boolean keep;

  @Option(names = "--json", description = "Print one JSON object per line.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // read by picocli
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  public Demo(PrintStream out, PrintStream err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    check("--seconds", seconds, LEAST_SECONDS, MOST_SECONDS);
    check("--nodes", nodes, 1, MOST_NODES);
    check("--rate", perSecond, 4, MOST_PER_SECOND);
    DemoSettings settings =
        new DemoSettings(
            seed == null ? ThreadLocalRandom.current().nextInt(SEEDS) : seed,
            seconds,
            nodes,
            perSecond,
            !noFaults,
            keep);
    silenceLibraries();
    return play(settings, display());
  }

  private void check(String option, int value, int least, int most) {
    if (value < least || value > most) {
      CommandLine command = spec == null ? new CommandLine(this) : spec.commandLine();
      throw new ParameterException(
          command, option + " is from " + least + " to " + most + ", not " + value);
    }
  }

  /** Connections that break are the point of this; nobody needs to read about each. */
  static void silenceLibraries() {
    LogManager.getLogManager().reset();
    Logger.getLogger("").setLevel(Level.OFF);
  }

  private Display display() {
    if (json) {
      return new JsonLines(out);
    }
    boolean dumb = environment.getOrDefault("TERM", "dumb").equals("dumb");
    return !dumb && TerminalSize.isTerminal()
        ? new Screen(out, Look.of(environment), new TerminalSize())
        : new PlainLines(out);
  }

  private int play(DemoSettings settings, Display display)
      throws IOException, InterruptedException {
    try (Workplace place = Workplace.create(keep)) {
      place.with(display::close);
      try (Watchdog watchdog =
          Watchdog.over(Thread.currentThread(), late -> hung(late, settings, place))) {
        display.begin(settings);
        Conclusion conclusion = new Run(settings, display, place, watchdog).play();
        watchdog.during("cleaning up", 30_000);
        display.conclude(conclusion);
        return conclusion.holds() ? 0 : 1;
      } catch (DemoFailure | IOException failure) {
        display.close();
        if (place.isInterrupted()) {
          return INTERRUPTED;
        }
        place.keep();
        complain(failure.getMessage() == null ? "failed" : failure.getMessage(), settings, place);
        return 1;
      }
    }
  }

  /** Whatever hangs may hang when it is closed, too; so this ends the process by itself. */
  private void hung(String late, DemoSettings settings, Workplace place) {
    place.keep();
    Thread closing = new Thread(place::close, "closing");
    closing.setDaemon(true);
    closing.start();
    try {
      closing.join(10_000);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    complain(late, settings, place);
    Runtime.getRuntime().halt(1);
  }

  private void complain(String what, DemoSettings settings, Workplace place) {
    if (json) {
      out.println(
          new JsonLine()
              .text("is", "failure")
              .text("what", what)
              .text("replay", settings.replay())
              .text("kept", place.folder().toString()));
      out.flush();
    }
    err.println("onceward demo: " + what);
    err.println("onceward demo: the same faults again: " + settings.replay());
    err.println("onceward demo: data and records are kept in " + place.folder());
  }
}
