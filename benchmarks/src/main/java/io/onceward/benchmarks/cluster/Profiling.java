package io.onceward.benchmarks.cluster;

import io.onceward.benchmarks.cluster.Processes.Work;
import io.onceward.cli.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One more run of a load, under the eyes of the flight recorder and of the kernel's counters. Its
 * own figures are not reported.
 */
final class Profiling implements Clients.Beside {
  private static final int MOST_THREADS = 12;
  private static final double PERCENT = 100;

  /**
   * For every process that is to be watched, from its start on: a recorder that is switched on
   * later makes the JVM compile everything anew, and what is recorded is a JVM that gets warm.
   */
  static final List<String> JVM_FLAGS =
      List.of(
          "-XX:StartFlightRecording=name=bench,settings=profile,maxsize=256m",
          "-Xlog:jfr+startup=off");

  private final String load;
  private final Map<Long, String> roles = new LinkedHashMap<>();
  private final Map<Long, Work> before = new LinkedHashMap<>();
  private final Map<Long, Map<String, Work>> threadsBefore = new LinkedHashMap<>();
  private final List<ProfileLine> lines = new ArrayList<>();
  private Instant start = Instant.MIN;
  private Instant end = Instant.MAX;

  private Profiling(String load, Site site) throws IOException {
    this.load = load;
    long leader = site.cluster().leader().pid();
    for (ServerProcess server : site.cluster().servers()) {
      roles.put(
          server.pid(), server.pid() == leader ? "leader" : "follower " + server.member().id());
    }
    int client = 1;
    for (long pid : site.clients().pids()) {
      roles.put(pid, "client " + client++);
    }
  }

  /** Watches the load of that name; some have nothing to watch. */
  static List<ProfileLine> of(String name, Site site) throws IOException {
    Plan plan = site.plan();
    Load load =
        switch (name) {
          case ClusterExperiments.SATURATED ->
              plan.load(Load.Way.SESSION, 8, ClusterExperiments.MANY_IN_FLIGHT);
          case ClusterExperiments.AT_64 -> plan.load(Load.Way.SESSION, 8, 64);
          case ClusterExperiments.ALONE -> plan.load(Load.Way.SESSION, 1, 1);
          case ClusterExperiments.RETRIES ->
              plan.load(Load.Way.WIRE, 8, ClusterExperiments.MANY_IN_FLIGHT).withTwice(50);
          default -> null;
        };
    if (load == null) {
      return List.of();
    }
    Profiling profiling = new Profiling(name, site);
    Tally tally = site.clients().run(load, profiling);
    for (Map.Entry<Long, String> process : profiling.roles.entrySet()) {
      Path file = site.folder().resolve("bench-" + process.getKey() + ".jfr");
      jcmd(process.getKey(), "JFR.dump", "name=bench", "filename=" + file);
      profiling.lines.addAll(
          FlightSummary.read(file, profiling.start, profiling.end).lines(name, process.getValue()));
      Files.deleteIfExists(file);
    }
    profiling.add("everybody", "throughput while watched", "", tally.perSecond(), "req/s");
    return profiling.lines;
  }

  @Override
  public void begin() {
    start = Instant.now();
    for (long pid : roles.keySet()) {
      before.put(pid, Processes.work(pid));
      threadsBefore.put(pid, Processes.threads(pid));
    }
  }

  @Override
  public void end() {
    end = Instant.now();
    double seconds = Duration.between(start, end).toNanos() / 1e9;
    roles.forEach(
        (pid, role) -> {
          Work work = Processes.work(pid).minus(before.getOrDefault(pid, Work.NONE));
          add(role, "processor", "user", PERCENT * work.user() / seconds, "%core");
          add(role, "processor", "system", PERCENT * work.system() / seconds, "%core");
          threads(pid, role, seconds);
        });
  }

  private void threads(long pid, String role, double seconds) {
    Map<String, Work> earlier = threadsBefore.getOrDefault(pid, new TreeMap<>());
    Map<String, Double> shares = new TreeMap<>();
    Processes.threads(pid)
        .forEach(
            (name, work) -> {
              Work during = work.minus(earlier.getOrDefault(name, Work.NONE));
              shares.put(
                  name + String.format(" (system %.1f)", PERCENT * during.system() / seconds),
                  PERCENT * during.sum() / seconds);
            });
    shares.entrySet().stream()
        .filter(share -> share.getValue() > 0)
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(MOST_THREADS)
        .forEach(share -> add(role, "thread", share.getKey(), share.getValue(), "%core"));
  }

  private void add(String process, String by, String name, double value, String unit) {
    lines.add(new ProfileLine(load, process, by, name, value, unit));
  }

  private static void jcmd(long pid, String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    command.add(Long.toString(pid));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + said);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a process was watched", interrupted);
    }
  }
}
