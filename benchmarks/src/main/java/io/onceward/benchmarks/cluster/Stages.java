package io.onceward.benchmarks.cluster;

import io.onceward.benchmarks.Bench;
import io.onceward.benchmarks.Samples;
import io.onceward.cli.JvmFlags;
import io.onceward.client.Decided;
import io.onceward.client.Onceward;
import io.onceward.client.Session;
import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of a single request goes: three traced server processes, and this process as their
 * client. All of them read one clock, which on Linux is the same for all processes.
 */
final class Stages {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double MEDIAN = 0.5;

  private record Asked(long sent, long received) {}

  private record Passed(long submitted, long applied, long answered) {
    static Passed parse(String line) {
      String[] times = line.split(" ", -1);
      return new Passed(
          Long.parseLong(times[0]), Long.parseLong(times[1]), Long.parseLong(times[2]));
    }
  }

  private Stages() {}

  static void run(Plan plan, Path folder, Samples samples) throws IOException {
    List<Member> members = Cluster.members(Site.NODES);
    List<LoadProcess> servers = new ArrayList<>();
    try {
      for (int i = 0; i < members.size(); i++) {
        servers.add(LoadProcess.launch(command(folder, i, members)));
      }
      for (LoadProcess server : servers) {
        String unused = server.await(StagesProgram.READY);
      }
      List<String> addresses = members.stream().map(Member::clientAddress).toList();
      try (Onceward onceward = Onceward.connect(addresses.toArray(String[]::new));
          Session session = onceward.openSession().join()) {
        List<Asked> unused = ask(session, plan.warmSeconds());
        for (int run = 0; run < plan.runs(); run++) {
          servers.forEach(server -> server.order(StagesProgram.CLEAR));
          List<Asked> asked = ask(session, plan.seconds());
          compare(asked, servers, samples);
        }
      }
    } finally {
      servers.forEach(LoadProcess::close);
    }
  }

  private static List<String> command(Path folder, int number, List<Member> members) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JvmFlags.server());
    command.addAll(JvmFlags.quiet());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Bench.class.getName()));
    command.add(StagesProgram.COMMAND);
    command.add(folder.resolve(members.get(number).id()).toString());
    command.add(Integer.toString(number));
    command.addAll(StagesProgram.print(members));
    return command;
  }

  /** One request after the other; the next is asked by the thread that brings the reply. */
  private static List<Asked> ask(Session session, int seconds) throws IOException {
    OneByOne asking = new OneByOne(session, System.nanoTime() + seconds * 1_000_000_000L);
    asking.next();
    return asking.await();
  }

  private static final class OneByOne {
    private final Session session;
    private final long endNanos;
    private final List<Asked> asked = new ArrayList<>();
    private final Lane lane = new Lane(new Stopwatch());

    OneByOne(Session session, long endNanos) {
      this.session = session;
      this.endNanos = endNanos;
    }

    void next() {
      lane.asked();
      long sent = System.nanoTime();
      CompletableFuture<Decided> unused =
          session
              .submit(CountingService.NAME, Command100.BYTES)
              .whenComplete((decided, problem) -> heard(sent, problem));
    }

    private void heard(long sent, @Nullable Throwable problem) {
      long received = System.nanoTime();
      if (problem != null) {
        lane.failed(problem);
        return;
      }
      asked.add(new Asked(sent, received));
      if (received < endNanos) {
        next();
      }
      boolean unused = lane.decided(received - sent);
    }

    List<Asked> await() throws IOException {
      try {
        lane.settle(600_000);
        return asked;
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while requests were traced", interrupted);
      }
    }
  }

  private static void compare(List<Asked> asked, List<LoadProcess> servers, Samples samples)
      throws IOException {
    Histogram sum = new Histogram();
    asked.forEach(one -> sum.add(one.received() - one.sent()));
    add(samples, "stage-sum", sum);
    for (LoadProcess server : servers) {
      server.order(StagesProgram.TELL);
      List<Passed> passed = new ArrayList<>();
      String line = server.awaitAny(StagesProgram.PASSED, StagesProgram.SYNCED);
      for (;
          line.startsWith(StagesProgram.PASSED);
          line = server.awaitAny(StagesProgram.PASSED, StagesProgram.SYNCED)) {
        passed.add(Passed.parse(line.substring(StagesProgram.PASSED.length())));
      }
      boolean leads = passed.size() >= asked.size() / 2;
      Histogram synced = Histogram.parse(line.substring(StagesProgram.SYNCED.length()));
      if (synced.count() > 0) {
        add(samples, leads ? "stage-sync-leader" : "stage-sync-follower", synced);
      }
      if (leads) {
        stages(asked, passed, samples);
      }
    }
  }

  /** Requests and entries meet by time: with one in flight, what passed meanwhile is that one. */
  private static void stages(List<Asked> asked, List<Passed> passed, Samples samples) {
    Histogram there = new Histogram();
    Histogram log = new Histogram();
    Histogram apply = new Histogram();
    Histogram back = new Histogram();
    int next = 0;
    for (Asked one : asked) {
      while (next < passed.size() && passed.get(next).submitted() < one.sent()) {
        next++;
      }
      if (next == passed.size() || passed.get(next).submitted() > one.received()) {
        continue;
      }
      Passed entry = passed.get(next);
      there.add(entry.submitted() - one.sent());
      log.add(entry.applied() - entry.submitted());
      // The answer may be read before the thread that gave it looks at the clock.
      long answered = Math.min(entry.answered(), one.received());
      apply.add(answered - entry.applied());
      back.add(one.received() - answered);
    }
    add(samples, "stage-there", there);
    add(samples, "stage-log", log);
    add(samples, "stage-apply", apply);
    add(samples, "stage-back", back);
  }

  private static void add(Samples samples, String name, Histogram times) {
    samples.add(name, times.percentile(MEDIAN) / NANOS_PER_MICRO);
  }
}
