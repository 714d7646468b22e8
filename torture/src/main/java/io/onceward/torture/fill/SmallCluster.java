package io.onceward.torture.fill;

import io.onceward.cli.ServerLaunch;
import io.onceward.cli.ServerProcess;
import io.onceward.server.FreePorts;
import io.onceward.wire.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** Three real processes with a small heap. */
final class SmallCluster implements AutoCloseable {
  private static final Duration TIME_TO_START = Duration.ofSeconds(90);

  private final List<Member> members;
  private final List<ServerLaunch> launches = new ArrayList<>();
  private final List<ServerProcess> processes = new ArrayList<>();
  private final Queue<String> said = new ConcurrentLinkedQueue<>();

  private SmallCluster(Path folder, int heapMebibytes) throws IOException {
    members = FreePorts.members(3, i -> "node" + (i + 1));
    for (Member self : members) {
      launches.add(
          ServerLaunch.of(folder.resolve(self.id()), self, members)
              .jvmFlags(
                  "-Xms" + heapMebibytes / 2 + "m",
                  "-Xmn" + heapMebibytes / 5 + "m",
                  "-Xmx" + heapMebibytes + "m")
              .heardBy(line -> said.add(self.id() + ": " + line)));
    }
  }

  static SmallCluster start(Path folder, int heapMebibytes) throws IOException {
    SmallCluster cluster = new SmallCluster(folder, heapMebibytes);
    try {
      for (ServerLaunch launch : cluster.launches) {
        cluster.processes.add(launch.start());
      }
      for (ServerProcess process : cluster.processes) {
        process.awaitReady(TIME_TO_START);
      }
      return cluster;
    } catch (IOException problem) {
      cluster.close();
      throw problem;
    }
  }

  List<String> addresses() {
    return members.stream().map(Member::clientAddress).toList();
  }

  List<String> ids() {
    return members.stream().map(Member::id).toList();
  }

  /** Kills a node and starts it again, with what it has on disk. */
  void restart(int node) throws IOException {
    processes.get(node).kill();
    int unused = processes.get(node).ended().join();
    processes.set(node, launches.get(node).start());
    processes.get(node).awaitReady(TIME_TO_START);
  }

  /** What is wrong with the processes, one line each. */
  List<String> complaints() {
    List<String> complaints = new ArrayList<>();
    for (int i = 0; i < processes.size(); i++) {
      ServerProcess process = processes.get(i);
      if (!process.isRunning()) {
        complaints.add(
            members.get(i).id()
                + " ended with code "
                + process.ended().join()
                + ": "
                + process.complaints());
      }
    }
    said.stream().filter(line -> line.contains("OutOfMemory")).forEach(complaints::add);
    return complaints;
  }

  /** What the data of all nodes takes on disk, in MiB. */
  long diskMebibytes() throws IOException {
    long bytes = 0;
    for (ServerLaunch launch : launches) {
      try (Stream<Path> files = Files.walk(launch.folder())) {
        for (Path file : files.toList()) {
          // Logs are purged and snapshots replaced meanwhile.
          bytes += Files.isRegularFile(file) ? file.toFile().length() : 0;
        }
      }
    }
    return bytes >> 20;
  }

  @Override
  public void close() {
    processes.forEach(ServerProcess::close);
  }
}
