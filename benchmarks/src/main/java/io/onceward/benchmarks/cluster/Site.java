package io.onceward.benchmarks.cluster;

import io.onceward.cli.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A cluster of three and its client processes, warm.
 *
 * @param folder where experiments may leave files
 */
record Site(Cluster cluster, Clients clients, Plan plan, Path folder) implements AutoCloseable {
  static final int NODES = 3;

  /**
   * Starts everything and keeps it busy until the JIT has settled.
   *
   * @param jvmFlags for every process, beyond those that it has anyway
   */
  static Site open(Plan plan, Path folder, List<String> jvmFlags) throws IOException {
    Cluster cluster = Cluster.start(folder, NODES, jvmFlags);
    try {
      Clients clients = Clients.start(plan.clients(), cluster.addresses(), jvmFlags);
      Site site = new Site(cluster, clients, plan, folder);
      site.warmUp();
      return site;
    } catch (IOException problem) {
      cluster.close();
      throw problem;
    }
  }

  /**
   * Loads of every kind, because code that is compiled for one kind is not yet fast for another.
   */
  private void warmUp() throws IOException {
    int part = plan.warmSeconds() * 1_000 / 7;
    Tally[] unused = {
      clients.run(Load.of(Load.Way.SESSION, 8, 4_096, 0, 3 * part)),
      clients.run(Load.of(Load.Way.UNKEYED, 8, 4_096, 0, part)),
      clients.run(Load.of(Load.Way.SESSION, 8, 64, 0, 2 * part)),
      clients.run(Load.of(Load.Way.SESSION, 1, 1, 0, part)),
    };
  }

  List<Long> serverPids() {
    List<Long> pids = new ArrayList<>();
    for (ServerProcess server : cluster.servers()) {
      pids.add(server.pid());
    }
    return pids;
  }

  @Override
  public void close() {
    clients.close();
    cluster.close();
  }
}
