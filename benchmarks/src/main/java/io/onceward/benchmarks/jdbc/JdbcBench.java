package io.onceward.benchmarks.jdbc;

import io.onceward.benchmarks.Figure;
import io.onceward.benchmarks.Json;
import io.onceward.benchmarks.Progress;
import io.onceward.benchmarks.Report;
import io.onceward.benchmarks.Results;
import io.onceward.benchmarks.Surroundings;
import io.onceward.testpostgres.PostgresServer;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code bench jdbc}: business transactions with and without the guard around them, in turns, on a
 * PostgreSQL that syncs every commit.
 */
public final class JdbcBench {
  private static final int POOL_FOR_DUPLICATES = 4;
  private static final Map<String, String> SETTINGS =
      Map.of("shared_buffers", "256MB", "max_wal_size", "4GB");

  private final JdbcOptions options;
  private final PostgresServer server;
  private final Progress progress;
  private final Results results = new Results();

  private JdbcBench(JdbcOptions options, PostgresServer server, Progress progress) {
    this.options = options;
    this.server = server;
    this.progress = progress;
  }

  /** Does what the arguments ask for. */
  public static void run(List<String> arguments, PrintStream out, PrintStream err)
      throws IOException {
    JdbcOptions options = JdbcOptions.parse(arguments);
    if (options.help()) {
      help(out);
      return;
    }
    Progress progress = new Progress(err);
    try (PostgresServer server = PostgresServer.start(SETTINGS)) {
      JdbcBench bench = new JdbcBench(options, server, progress);
      bench.measure();
      progress.end();
      bench.print(new Report(out, options.json(), !options.quick()));
    } catch (SQLException e) {
      throw new IOException("PostgreSQL failed: " + e.getMessage(), e);
    }
  }

  private void measure() throws IOException, SQLException {
    Set<String> experiments = new LinkedHashSet<>();
    options.figures().forEach(figure -> experiments.addAll(figure.experiments()));
    int done = 0;
    for (String experiment : experiments) {
      progress.tell(done++, experiments.size(), experiment);
      if (experiment.equals(JdbcFigures.DUPLICATES)) {
        duplicates();
      } else {
        transfers(Integer.parseInt(experiment.substring(experiment.indexOf('-') + 1)));
      }
    }
  }

  private void transfers(int connections) throws IOException, SQLException {
    String figure = JdbcFigures.transfersOn(connections);
    try (Transfers transfers = new Transfers(server, connections)) {
      perSecond(connections, transfers::plain, options.warmSeconds());
      perSecond(connections, transfers::guarded, options.warmSeconds());
      for (int round = 0; round < options.rounds(); round++) {
        boolean guardedFirst = round % 2 == 1;
        for (boolean guarded : new boolean[] {guardedFirst, !guardedFirst}) {
          results.add(
              round,
              guarded ? JdbcFigures.with(figure) : JdbcFigures.without(figure),
              perSecond(
                  connections, guarded ? transfers::guarded : transfers::plain, options.seconds()));
        }
      }
    }
  }

  private static double perSecond(int threads, Crowd.Deed deed, double seconds) throws IOException {
    try (Crowd crowd = new Crowd(threads, deed)) {
      // Until all of them are at it.
      crowd.perSecond(Math.min(0.2, seconds / 4));
      return crowd.perSecond(seconds);
    }
  }

  private void duplicates() throws IOException, SQLException {
    String figure = JdbcFigures.DUPLICATES;
    try (Transfers transfers = new Transfers(server, POOL_FOR_DUPLICATES)) {
      perSecond(POOL_FOR_DUPLICATES, transfers::guarded, options.warmSeconds());
      for (int round = 0; round < options.rounds(); round++) {
        boolean crowdedFirst = round % 2 == 1;
        for (boolean crowded : new boolean[] {crowdedFirst, !crowdedFirst}) {
          results.add(
              round,
              crowded ? JdbcFigures.with(figure) : JdbcFigures.without(figure),
              crowded
                  ? besideDuplicates(transfers, round)
                  : perSecond(POOL_FOR_DUPLICATES, transfers::guarded, options.seconds()));
        }
      }
    }
  }

  private double besideDuplicates(Transfers transfers, int round) throws IOException, SQLException {
    long before = transfers.transfers();
    LongAdder unrelated = new LongAdder();
    Duplicates duplicates = new Duplicates(transfers);
    double perSecond;
    try (Crowd copies = new Crowd(Duplicates.COPIES, duplicates::send)) {
      copies.perSecond(Math.min(0.2, options.seconds() / 4));
      perSecond =
          perSecond(
              POOL_FOR_DUPLICATES,
              () -> {
                transfers.guarded();
                unrelated.increment();
              },
              options.seconds());
    }
    double executed = transfers.transfers() - before - unrelated.sum();
    results.add(round, JdbcFigures.DUPLICATES_EXECUTED, executed / duplicates.requests());
    return perSecond;
  }

  private void print(Report report) {
    report.begin(Surroundings.found(), new Heading(options));
    for (Figure figure : options.figures()) {
      report.print(figure, figure.measured().apply(results));
    }
  }

  private record Heading(JdbcOptions options) implements Report.Heading {
    @Override
    public String program() {
      return "onceward bench jdbc";
    }

    @Override
    public List<String> lines() {
      return List.of(
          "PostgreSQL on this machine over loopback, fsync on, READ COMMITTED; dated ids; HikariCP",
          String.format(
              Locale.ROOT,
              "%d rounds, each %.1f s with and %.1f s without, as many threads as connections",
              options.rounds(),
              options.seconds(),
              options.seconds()));
    }

    @Override
    public void describe(Json line) {
      line.number("rounds", options.rounds());
      line.number("seconds", options.seconds());
    }
  }

  private static void help(PrintStream out) {
    out.println(
        """
        Usage: onceward bench jdbc [--quick] [--json] [--only NAME] [--rounds N] [--seconds N]

        Starts a PostgreSQL of its own, which syncs every commit, and measures transfers (two
        updates and an insert) with and without the guard around them, in turns in the same run.
        A figure is the throughput with, in percent of that without. Progress goes to the
        standard error. Measure on a machine that does nothing else.

          --quick      Short runs, to see that it works. Nothing is judged.
          --json       One JSON object per line: first the surroundings, then each figure.
          --only NAME  Only the figures whose names contain it.
          --rounds N   Measure each pair so often.
          --seconds N  Measure each half of a pair for so long.

        duplicates: 64 threads send copies of one request and wait for its reply, on the pool of
        four connections that four other threads use for transfers of their own. The copy that
        executes stays in its transaction for 0.2 s, then they send the next request.

        Figures:\
        """);
    for (Figure figure : JdbcFigures.ALL) {
      out.println(String.format("  %-20s %s", figure.name(), figure.what()));
    }
  }
}
