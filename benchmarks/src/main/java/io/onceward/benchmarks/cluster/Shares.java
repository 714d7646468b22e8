package io.onceward.benchmarks.cluster;

import io.onceward.benchmarks.Samples;
import io.onceward.benchmarks.cluster.Processes.Work;
import io.onceward.cli.ServerProcess;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** Who had the processors while a load was measured, and how often threads had to wait. */
final class Shares implements Clients.Beside {
  private static final double MICROS_PER_SECOND = 1e6;

  private final Map<Long, String> roles = new LinkedHashMap<>();
  private final Map<Long, Work> before = new LinkedHashMap<>();
  private final Map<Long, Work> during = new LinkedHashMap<>();
  private final Map<Long, Long> waits = new LinkedHashMap<>();
  private final String leaderAddress;
  private long entries;

  Shares(Site site) throws IOException {
    ServerProcess leader = site.cluster().leader();
    leaderAddress = leader.member().clientAddress();
    for (ServerProcess server : site.cluster().servers()) {
      roles.put(server.pid(), server.pid() == leader.pid() ? "leader" : "follower");
    }
    for (long pid : site.clients().pids()) {
      roles.put(pid, "client");
    }
  }

  @Override
  public void begin() throws IOException {
    entries = -Leader.position(leaderAddress);
    for (long pid : roles.keySet()) {
      before.put(pid, Processes.work(pid));
      waits.put(pid, -Processes.waits(pid));
    }
  }

  @Override
  public void end() throws IOException {
    entries += Leader.position(leaderAddress);
    for (long pid : roles.keySet()) {
      during.put(pid, Processes.work(pid).minus(before.getOrDefault(pid, Work.NONE)));
      waits.merge(pid, Processes.waits(pid), Long::sum);
    }
  }

  /** Microseconds of processor time per request, of all processes together. */
  OptionalDouble sumMicros(Tally tally) {
    double seconds = during.values().stream().mapToDouble(Work::sum).sum();
    return Processes.areKnown()
        ? OptionalDouble.of(seconds * MICROS_PER_SECOND / tally.decided())
        : OptionalDouble.empty();
  }

  /** How many requests shared an entry; processor time and waits per request, for each role. */
  void tell(Tally tally, Samples samples) {
    samples.add("requests-per-entry", (double) tally.decided() / entries);
    if (!Processes.areKnown()) {
      return;
    }
    Map<String, Double> micros = new LinkedHashMap<>();
    Map<String, Double> system = new LinkedHashMap<>();
    Map<String, Double> waited = new LinkedHashMap<>();
    roles.forEach(
        (pid, role) -> {
          Work work = during.getOrDefault(pid, Work.NONE);
          micros.merge(role, work.sum() * MICROS_PER_SECOND / tally.decided(), Double::sum);
          system.merge(role, work.system() * MICROS_PER_SECOND / tally.decided(), Double::sum);
          waited.merge(role, waits.getOrDefault(pid, 0L) / (double) tally.decided(), Double::sum);
        });
    micros.forEach((role, value) -> samples.add("micros-" + role, value));
    system.forEach((role, value) -> samples.add("system-micros-" + role, value));
    waited.forEach((role, value) -> samples.add("waits-" + role, value));
  }
}
