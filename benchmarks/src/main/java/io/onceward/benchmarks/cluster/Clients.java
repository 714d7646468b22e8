package io.onceward.benchmarks.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The client processes of a measurement, which share each load evenly. */
final class Clients implements AutoCloseable {

  /** What goes on beside a load while it is measured. */
  interface Beside {
    void begin() throws IOException;

    void end() throws IOException;
  }

  private static final Beside NOTHING =
      new Beside() {
        @Override
        public void begin() {}

        @Override
        public void end() {}
      };

  private final List<LoadProcess> processes;

  /** What was executed through all of them since they were started. */
  private long executed;

  private Clients(List<LoadProcess> processes) {
    this.processes = processes;
  }

  static Clients start(int count, List<String> addresses, List<String> jvmFlags)
      throws IOException {
    List<LoadProcess> processes = new ArrayList<>();
    Clients clients = new Clients(processes);
    try {
      for (int i = 0; i < count; i++) {
        processes.add(LoadProcess.start(addresses, jvmFlags));
      }
      return clients;
    } catch (IOException problem) {
      clients.close();
      throw problem;
    }
  }

  Tally run(Load load) throws IOException {
    return run(load, NOTHING);
  }

  /** A load that cannot be shared, such as a single request in flight, goes to one process. */
  Tally run(Load load, Beside beside) throws IOException {
    int sharing = Math.min(processes.size(), Math.min(load.inFlight(), load.active()));
    List<LoadProcess> chosen = processes.subList(0, sharing);
    Load share = load.shareOf(sharing);
    for (LoadProcess process : chosen) {
      process.order(LoadProgram.LOAD + share.words());
    }
    for (LoadProcess process : chosen) {
      String unused = process.await(LoadProgram.BEGIN);
    }
    beside.begin();
    Tally sum = null;
    for (LoadProcess process : chosen) {
      Tally tally = Tally.parse(Words.parse(process.await(LoadProgram.TALLY)));
      if (sum == null) {
        beside.end();
      }
      sum = sum == null ? tally : sum.merge(tally);
    }
    if (sum == null) {
      throw new IllegalStateException("there is no client process");
    }
    executed += sum.executed();
    return sum;
  }

  /** Starts a load on one process that goes on until {@link #rest}. */
  void watch(Load load) throws IOException {
    processes.get(0).order(LoadProgram.WATCH + load.words());
    String unused = processes.get(0).await(LoadProgram.BEGIN);
  }

  /** From now on the watching process keeps what is decided. */
  void arm() throws IOException {
    processes.get(0).order(LoadProgram.ARM);
    String unused = processes.get(0).await(LoadProgram.READY);
  }

  /** When, in microseconds since the epoch, the first decision came that was logged after this. */
  long firstDecidedAfter(long millis) throws IOException {
    processes.get(0).order(LoadProgram.SINCE + millis);
    return Long.parseLong(processes.get(0).await(LoadProgram.FOUND));
  }

  Tally rest() throws IOException {
    processes.get(0).order(LoadProgram.REST);
    Tally tally = Tally.parse(Words.parse(processes.get(0).await(LoadProgram.TALLY)));
    executed += tally.executed();
    return tally;
  }

  long executed() {
    return executed;
  }

  List<Long> pids() {
    return processes.stream().map(LoadProcess::pid).toList();
  }

  @Override
  public void close() {
    processes.forEach(LoadProcess::close);
  }
}
