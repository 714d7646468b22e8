package io.onceward.benchmarks.cluster;

import io.onceward.Bytes;
import io.onceward.cli.ServerLaunch;
import io.onceward.cli.ServerProcess;
import io.onceward.server.FreePorts;
import io.onceward.services.ServiceDirectory;
import io.onceward.wire.Answer;
import io.onceward.wire.Member;
import io.onceward.wire.Question;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Server processes on loopback, started as the launcher starts them. */
final class Cluster implements AutoCloseable {
  private static final Duration TIME_TO_START = Duration.ofSeconds(60);
  private static final long RETRY_MILLIS = 100;
  private static final int TRIES = 100;

  private final List<ServerProcess> servers = new ArrayList<>();

  private Cluster() {}

  /**
   * Starts so many nodes, with data folders below the given one, and waits until all are ready.
   *
   * @param jvmFlags beyond those that every server has
   */
  static Cluster start(Path folder, int nodes, List<String> jvmFlags) throws IOException {
    Cluster cluster = new Cluster();
    List<Member> members = members(nodes);
    try {
      for (Member member : members) {
        cluster.servers.add(
            ServerLaunch.of(folder.resolve(member.id()), member, members)
                .service(CountingService.NAME, CountingService.class.getName())
                .jvmFlags(jvmFlags.toArray(String[]::new))
                .start());
      }
      for (ServerProcess server : cluster.servers) {
        String unused = server.awaitReady(TIME_TO_START);
      }
      return cluster;
    } catch (IOException problem) {
      cluster.close();
      throw problem;
    }
  }

  /** Members on ports that are free now. */
  static List<Member> members(int nodes) throws IOException {
    return FreePorts.members(nodes, i -> "node" + (i + 1));
  }

  List<String> addresses() {
    return servers.stream().map(server -> server.member().clientAddress()).toList();
  }

  List<ServerProcess> servers() {
    return servers;
  }

  /** The process that leads. */
  ServerProcess leader() throws IOException {
    for (int i = 1; ; i++) {
      try {
        String address = Leader.of(addresses());
        return servers.stream()
            .filter(server -> server.member().clientAddress().equals(address))
            .findFirst()
            .orElseThrow();
      } catch (IOException nobody) {
        if (i == TRIES) {
          throw nobody;
        }
        sleep(RETRY_MILLIS);
      }
    }
  }

  /**
   * A leader's end, in microseconds since the epoch.
   *
   * @param sentMicros when it was about to be killed
   * @param goneMicros when it was certainly gone
   */
  record End(long sentMicros, long goneMicros) {}

  /** Kills the process that leads. */
  End killLeader() throws IOException {
    ServerProcess leader = leader();
    long sentMicros = Gap.nowMicros();
    leader.kill();
    return new End(sentMicros, Gap.nowMicros());
  }

  /** Starts again whoever does not run, and waits until it is ready. */
  void restore() throws IOException {
    for (int i = 0; i < servers.size(); i++) {
      if (!servers.get(i).isRunning()) {
        servers.set(i, servers.get(i).launch().start());
        String unused = servers.get(i).awaitReady(TIME_TO_START);
      }
    }
  }

  /** How many commands the service has executed. */
  long executed() throws IOException {
    Question query =
        new Question.Query(ServiceDirectory.address(CountingService.NAME, Bytes.EMPTY));
    Answer answer = Inquiry.ask(leader().member().clientAddress(), query);
    if (answer instanceof Answer.QueryTold told) {
      return told.reply().bytes().longAt(0);
    }
    throw new IOException("the leader does not tell what was executed: " + answer);
  }

  static void sleep(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a cluster was measured", interrupted);
    }
  }

  @Override
  public void close() {
    servers.forEach(ServerProcess::close);
  }
}
