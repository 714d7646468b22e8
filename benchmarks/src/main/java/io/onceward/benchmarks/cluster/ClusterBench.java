package io.onceward.benchmarks.cluster;

import io.onceward.benchmarks.Figure;
import io.onceward.benchmarks.Figure.Measured;
import io.onceward.benchmarks.Json;
import io.onceward.benchmarks.Progress;
import io.onceward.benchmarks.Report;
import io.onceward.benchmarks.Results;
import io.onceward.benchmarks.Samples;
import io.onceward.benchmarks.Surroundings;
import io.onceward.benchmarks.cluster.ClusterExperiment.OnItsOwn;
import io.onceward.benchmarks.cluster.ClusterExperiment.OnSite;
import io.onceward.cli.ScratchFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code bench cluster}: runs the experiments that the wanted figures need, prints the figures. */
public final class ClusterBench {
  private final ClusterOptions options;
  private final Progress progress;
  private final Results results = new Results();
  private final List<ProfileLine> profile = new ArrayList<>();
  private final Map<String, String> failures = new LinkedHashMap<>();
  private int done;
  private int all;

  private ClusterBench(ClusterOptions options, Progress progress) {
    this.options = options;
    this.progress = progress;
  }

  /** Does what the arguments ask for. */
  public static void run(List<String> arguments, PrintStream out, PrintStream err)
      throws IOException {
    ClusterOptions options = ClusterOptions.parse(arguments);
    if (options.help()) {
      help(out);
      return;
    }
    Progress progress = new Progress(err);
    ClusterBench bench = new ClusterBench(options, progress);
    try {
      bench.measure();
    } finally {
      progress.end();
    }
    bench.print(new Report(out, options.json(), !options.quick()), out);
    if (!bench.failures.isEmpty()) {
      throw new IOException("not measured: " + String.join(", ", bench.failures.keySet()));
    }
  }

  private void print(Report report, PrintStream out) {
    report.begin(Surroundings.found(), new ClusterHeading(options.plan()));
    for (Figure figure : options.figures()) {
      Measured measured = figure.measured().apply(results);
      // What failed has no samples, nor what only Linux tells.
      if (!measured.samples().isEmpty()) {
        report.print(figure, measured);
      }
    }
    for (ProfileLine line : profile) {
      out.println(options.json() ? line.json() : line.text());
    }
    failures.forEach(
        (experiment, why) -> {
          Json line = new Json();
          line.text("failed", experiment);
          line.text("why", why);
          out.println(options.json() ? line.toString() : experiment + " FAILED: " + why);
        });
  }

  private void measure() throws IOException {
    List<ClusterExperiment> needed = needed();
    List<ClusterExperiment> onSite =
        needed.stream().filter(experiment -> experiment.body() instanceof OnSite).toList();
    all = needed.size() - onSite.size() + options.plan().passes() * onSite.size();
    for (ClusterExperiment experiment : needed) {
      if (experiment.body() instanceof OnItsOwn body) {
        attempt(experiment, () -> alone(body));
      }
    }
    for (int pass = 0; pass < options.plan().passes() && !onSite.isEmpty(); pass++) {
      pass(onSite, pass);
    }
  }

  private void alone(OnItsOwn body) throws IOException {
    try (ScratchFolder scratch = ScratchFolder.create("onceward-bench")) {
      body.run(options.plan(), scratch.path(), samples(0));
    }
  }

  private void pass(List<ClusterExperiment> experiments, int pass) throws IOException {
    progress.tell(done, all, "warm-up of a new cluster");
    try (ScratchFolder scratch = ScratchFolder.create("onceward-bench");
        Site site = Site.open(options.plan(), scratch.path(), jvmFlags())) {
      for (ClusterExperiment experiment : experiments) {
        if (experiment.body() instanceof OnSite body) {
          attempt(experiment, () -> body.run(site, samples(pass)));
        }
        if (options.profile() && pass == 0) {
          profile.addAll(Profiling.of(experiment.name(), site));
        }
      }
    }
  }

  private interface Attempt {
    void run() throws IOException;
  }

  /** If one experiment fails, the others are still worth having. */
  private void attempt(ClusterExperiment experiment, Attempt attempt) {
    progress.tell(done++, all, experiment.name());
    try {
      if (!experiment.name().equals(ClusterExperiments.ONCE) || failures.isEmpty()) {
        attempt.run();
      }
    } catch (IOException problem) {
      String why = String.valueOf(problem.getMessage()).strip();
      failures.merge(experiment.name(), why, (one, other) -> one + "\n" + other);
    }
  }

  private List<String> jvmFlags() {
    return options.profile() ? Profiling.JVM_FLAGS : List.of();
  }

  private Samples samples(int pass) {
    return (name, value) -> results.add(pass, name, value);
  }

  private List<ClusterExperiment> needed() {
    Set<String> names = new HashSet<>();
    options.figures().forEach(figure -> names.addAll(figure.experiments()));
    return ClusterExperiments.ALL.stream()
        .filter(experiment -> names.contains(experiment.name()))
        .toList();
  }

  private static void help(PrintStream out) {
    out.println(
        """
        Usage: onceward bench cluster [--quick] [--json] [--profile] [--only NAME]
                                      [--passes N] [--runs N] [--seconds N] [--clients N]

        Starts three server processes and client processes beside them, on loopback and with
        every entry synced to disk, and prints one line per figure: median, spread, target.
        Progress goes to the standard error. Measure on a machine that does nothing else.

          --quick      Short runs, to see that it works. Nothing is judged.
          --json       One JSON object per line: first the surroundings, then each figure.
          --profile    Beside the figures, where processor time and memory went: by process, by
                       thread, by package and by method. Being watched costs a few percent.
          --only NAME  Only the figure of this name with those that are measured along, or all
                       whose names contain it.
          --passes N   Start and warm up so many clusters, one after the other.
          --runs N     Measure each load so often in each of them.
          --seconds N  Measure for so long each time.
          --clients N  Share each load among so many client processes.

        Commands have 100 bytes and go to a service that counts them and replies with the count
        in 8 bytes, so that the figures are about Onceward and not about a service. Requests go
        through the client library; where copies must be sent on purpose, the frames are made by
        the program itself. As soon as a request is decided, another is asked in its place, on
        the thread that brought the decision.

        Figures:\
        """);
    for (Figure figure : ClusterFigures.ALL) {
      out.println(String.format("  %-20s %s", figure.name(), figure.what()));
    }
  }
}
