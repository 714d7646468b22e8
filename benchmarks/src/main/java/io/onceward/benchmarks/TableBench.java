package io.onceward.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code bench table}: runs the experiments that the wanted figures need, then prints the figures.
 */
final class TableBench {

  /** What the command line asks for. */
  record Options(boolean help, boolean quick, boolean json, List<Figure> figures) {

    static Options parse(List<String> arguments) {
      boolean help = false;
      boolean quick = false;
      boolean json = false;
      List<Figure> figures = Figures.ALL;
      for (int i = 0; i < arguments.size(); i++) {
        switch (arguments.get(i)) {
          case "--help", "-h" -> help = true;
          case "--quick" -> quick = true;
          case "--json" -> json = true;
          case "--only" -> {
            if (++i == arguments.size()) {
              throw new UsageException("--only needs the name of a figure, or part of one");
            }
            figures = named(arguments.get(i));
          }
          default ->
              throw new UsageException(
                  "unknown argument '"
                      + arguments.get(i)
                      + "'; allowed are --quick, --json, --only NAME and --help");
        }
      }
      return new Options(help, quick, json, figures);
    }

    private static List<Figure> named(String part) {
      List<Figure> exact = new ArrayList<>();
      List<Figure> containing = new ArrayList<>();
      List<String> names = new ArrayList<>();
      for (Figure figure : Figures.ALL) {
        names.add(figure.name());
        if (figure.name().equals(part)) {
          exact.add(figure);
        }
        if (!part.isBlank() && figure.name().contains(part)) {
          containing.add(figure);
        }
      }
      if (containing.isEmpty()) {
        throw new UsageException(
            "no figure is called '" + part + "'; there are: " + String.join(", ", names));
      }
      return exact.isEmpty() ? containing : exact;
    }
  }

  private final Laboratory laboratory;
  private final Sizes sizes;
  private final Progress progress;

  TableBench(Laboratory laboratory, Sizes sizes, Progress progress) {
    this.laboratory = laboratory;
    this.sizes = sizes;
    this.progress = progress;
  }

  /** Measures, then prints. */
  void run(List<Figure> figures, Report report) throws IOException {
    Results results = new Results();
    Path scratch = Files.createTempDirectory("onceward-bench");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(scratch), "clean up"));
    try {
      measure(needed(figures), scratch, results);
    } finally {
      delete(scratch);
      progress.end();
    }
    report.begin(Surroundings.found(), new TableHeading(sizes, ChildJvms.flags(sizes)));
    for (Figure figure : figures) {
      report.print(figure, figure.measured().apply(results));
    }
  }

  private static List<Experiment> needed(List<Figure> figures) {
    Set<String> names = new LinkedHashSet<>();
    for (Figure figure : figures) {
      names.addAll(figure.experiments());
    }
    return Experiments.ALL.stream()
        .filter(experiment -> names.contains(experiment.name()))
        .toList();
  }

  private void measure(List<Experiment> experiments, Path scratch, Results results)
      throws IOException {
    List<List<Experiment>> passes = new ArrayList<>();
    int all = 0;
    for (int pass = 0; pass < sizes.passes(); pass++) {
      passes.add(ofPass(pass, experiments));
      all += passes.get(pass).size();
    }
    int done = 0;
    for (int pass = 0; pass < sizes.passes(); pass++) {
      int number = pass;
      for (Experiment experiment : passes.get(pass)) {
        progress.tell(done++, all, experiment.name());
        laboratory.run(
            experiment, sizes, scratch, (name, value) -> results.add(number, name, value));
      }
    }
  }

  /** Contestants change places from pass to pass: what drifts meanwhile must not favour one. */
  private static List<Experiment> ofPass(int pass, List<Experiment> experiments) {
    List<Experiment> contests = new ArrayList<>();
    List<Experiment> others = new ArrayList<>();
    for (Experiment experiment : experiments) {
      switch (experiment.role()) {
        case CONTEST -> contests.add(experiment);
        case REPEATED -> others.add(experiment);
        case ONCE -> {
          if (pass == 0) {
            others.add(experiment);
          }
        }
      }
    }
    if (pass % 2 == 1) {
      Collections.reverse(contests);
    }
    contests.addAll(others);
    return contests;
  }

  private static void delete(Path scratch) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(scratch)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(scratch);
    } catch (IOException e) {
      // It is in the directory for temporary files; whoever cleans that up takes this along.
    }
  }

  static void help(PrintStream out) {
    out.println(
        """
        Usage: onceward bench table [--quick] [--json] [--only NAME]

        Measures time and memory of the tables beside the obvious alternatives and prints one
        line per figure: median, spread, target, and what the alternatives did in the same run.
        Progress goes to the standard error.

          --quick      A tenth of the sessions and keys, in less than a minute. Targets speak of
                       the full sizes, so nothing is judged.
          --json       One JSON object per line: first the surroundings, then each figure.
          --only NAME  Only the figure of this name, or all whose names contain it.

        HashMap is a LinkedHashMap from UUID, which expires in order. Caffeine expires after
        writes, on the same thread. Guava is built as the retry cache of Apache Ratis is. All of
        them remember reply, fingerprint, log position and log time. None of them knows
        principals, scopes, watermarks, horizons or snapshots.

        A time is the median over rounds. A round that a garbage collection fell into shows in
        the spread; key-fill is long enough to contain its share of them.

        Figures:\
        """);
    for (Figure figure : Figures.ALL) {
      out.println(String.format("  %-28s %s", figure.name(), figure.what()));
    }
  }
}
