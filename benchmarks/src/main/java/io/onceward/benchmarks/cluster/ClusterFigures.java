package io.onceward.benchmarks.cluster;

import io.onceward.benchmarks.Figure;
import io.onceward.benchmarks.Figure.Measured;
import io.onceward.benchmarks.Figure.Target;
import io.onceward.benchmarks.Report;
import io.onceward.benchmarks.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What {@code bench cluster} prints, in order. Targets speak of {@link Plan#STANDARD}. */
final class ClusterFigures {
  private static final String PER_SECOND = "req/s";
  private static final String MILLIS = "ms";
  private static final String MICROS = "us";
  private static final String SECONDS = "s";
  private static final String PERCENT = "%";

  static final List<Figure> ALL = new ClusterFigures().figures;

  private final List<Figure> figures = new ArrayList<>();

  private ClusterFigures() {
    saturated();
    fewInFlight();
    reads();
    comparisons();
    others();
    stages();
  }

  private void saturated() {
    String experiment = ClusterExperiments.SATURATED;
    plain(
        "saturated",
        "decided requests with commands of 100 bytes, 8 sessions, 4096 in flight in all",
        PER_SECOND,
        atLeast(200_000),
        experiment);
    plain("saturated-p50", "their time from call to reply", MILLIS, null, experiment);
    plain("saturated-p99", "the same, exceeded by one in a hundred", MILLIS, null, experiment);
    plain(
        "requests-per-entry", "how many of them shared an entry of the log", "", null, experiment);
    for (String role : List.of("leader", "follower", "client")) {
      add(
          "micros-" + role,
          "processor time per request meanwhile, "
              + (role.equals("follower") ? "both " : "")
              + role
              + (role.equals("leader") ? "" : "s"),
          MICROS,
          null,
          experiment,
          results ->
              new Measured(
                  results.all("micros-" + role),
                  new TreeMap<>(),
                  medians(results, "system-micros-" + role, "of it in the kernel")
                      + ", "
                      + medians(results, "waits-" + role, "waits of threads")));
    }
    add(
        "memory",
        "the most memory that a node ever had resident until then",
        "MiB",
        atMost(1_024),
        experiment,
        results ->
            new Measured(
                results.all("memory"),
                new TreeMap<>(),
                medians(results, "memory-after", "when it was over")));
  }

  private void fewInFlight() {
    plain(
        "at-64",
        "decided requests, 8 sessions, 64 in flight in all",
        PER_SECOND,
        atLeast(40_000),
        ClusterExperiments.AT_64);
    plain(
        "at-64-p50",
        "their time from call to reply",
        MILLIS,
        atMost(1.5),
        ClusterExperiments.AT_64);
    plain(
        "at-64-p99",
        "the same, exceeded by one in a hundred",
        MILLIS,
        atMost(8),
        ClusterExperiments.AT_64);
    plain(
        "alone-p50",
        "one request in flight, asked when the one before is decided",
        MILLIS,
        atMost(0.85),
        ClusterExperiments.ALONE);
    plain(
        "alone-p99",
        "the same, exceeded by one in a hundred",
        MILLIS,
        null,
        ClusterExperiments.ALONE);
    plain(
        "alone-blocking-p50",
        "the same by a thread that waits for each reply",
        MILLIS,
        null,
        ClusterExperiments.ALONE);
    plain(
        "alone-blocking-p99",
        "the same, exceeded by one in a hundred",
        MILLIS,
        null,
        ClusterExperiments.ALONE);
  }

  private void reads() {
    String experiment = ClusterExperiments.READS;
    plain(
        "reads",
        "reads that a majority confirms, replies of 8 bytes, 4096 in flight in all",
        PER_SECOND,
        null,
        experiment);
    plain("reads-p50", "their time from call to reply", MILLIS, null, experiment);
    plain("reads-p99", "the same, exceeded by one in a hundred", MILLIS, null, experiment);
    plain(
        "reads-micros",
        "processor time per read meanwhile, all processes",
        MICROS,
        null,
        experiment);
    plain("read-alone-p50", "one read in flight", MILLIS, null, experiment);
    plain("read-alone-p99", "the same, exceeded by one in a hundred", MILLIS, null, experiment);
  }

  private void comparisons() {
    compared(
        "price",
        "what ids cost: throughput that is missing beside the same load without ids",
        atMost(5),
        ClusterExperiments.PRICE,
        "with-ids",
        "without-ids");
    compared(
        "retries",
        "throughput if half of the requests are sent twice, in percent of that without",
        atLeast(80),
        ClusterExperiments.RETRIES,
        "half-sent-twice",
        "all-sent-once");
    compared(
        "sessions",
        "throughput with 100,000 sessions open, 1 % active, in percent of that with 100",
        atLeast(90),
        ClusterExperiments.SESSIONS,
        "many-sessions",
        "few-sessions");
  }

  private void others() {
    plain(
        "failover",
        "kill -9 of the leader to the next decided request, 64 in flight",
        SECONDS,
        atMost(1),
        ClusterExperiments.FAILOVER);
    plain(
        "once",
        "commands that were executed beyond those that were decided, or are missing",
        "",
        atMost(0),
        ClusterExperiments.ONCE);
    plain(
        "start",
        "a server alone, from start to ready, with an empty folder",
        SECONDS,
        atMost(2),
        ClusterExperiments.START);
    plain("restart", "the same with the folder of before", SECONDS, null, ClusterExperiments.START);
    plain(
        "kv-get",
        "'onceward kv get' as a process, the launching script left out",
        SECONDS,
        null,
        ClusterExperiments.START);
  }

  /** A request alone on its way. The medians of stages need not add up to that of the whole. */
  private void stages() {
    stage("stage-sum", "one request in flight: from call to reply");
    stage("stage-there", "of it from the call until the leader hands it to the log");
    stage("stage-log", "of it in the log: written and synced here and at a follower");
    stage("stage-apply", "of it to apply the entry and hand the answer to the connection");
    stage("stage-back", "of it from there to the reply");
    stage("stage-sync-leader", "a sync of the leader's disk, in the log's time");
    stage("stage-sync-follower", "a sync of a follower's disk, in the log's time");
  }

  private void stage(String name, String what) {
    plain(name, what, MICROS, null, ClusterExperiments.STAGES);
  }

  private void plain(
      String name, String what, String unit, @Nullable Target target, String experiment) {
    add(
        name,
        what,
        unit,
        target,
        experiment,
        results -> new Measured(results.all(name), new TreeMap<>(), ""));
  }

  private void compared(
      String name, String what, Target target, String experiment, String one, String other) {
    add(
        name,
        what,
        PERCENT,
        target,
        experiment,
        results -> {
          TreeMap<String, List<Double>> both = new TreeMap<>();
          both.put(one, results.all(one));
          both.put(other, results.all(other));
          String micros =
              medians(results, "micros-" + one, "us")
                  + " of processor time per request against "
                  + medians(results, "micros-" + other, "us");
          return new Measured(results.all(name), both, PER_SECOND + "; " + micros);
        });
  }

  private static String medians(Results results, String name, String what) {
    List<Double> samples = results.all(name);
    StringJoiner text = new StringJoiner(" ");
    return samples.isEmpty()
        ? ""
        : text.add(Report.number(Results.median(samples))).add(what).toString();
  }

  private void add(
      String name,
      String what,
      String unit,
      @Nullable Target target,
      String experiment,
      Function<Results, Measured> measured) {
    figures.add(new Figure(name, what, unit, target, List.of(experiment), measured));
  }

  private static Target atMost(double bound) {
    return new Target(true, bound);
  }

  private static Target atLeast(double bound) {
    return new Target(false, bound);
  }
}
