package io.onceward.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The servers that this process has started and that still run. They are stopped when it ends. */
final class Offspring {
  private static final Set<ServerProcess> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Offspring::stopAll, "end of offspring"));
  }

  private Offspring() {}

  static void add(ServerProcess server) {
    RUNNING.add(server);
  }

  static void remove(ServerProcess server) {
    RUNNING.remove(server);
  }

  /** All at once, so that stopping many takes no longer than stopping the slowest. */
  private static void stopAll() {
    List<Thread> stopping = new ArrayList<>();
    for (ServerProcess server : RUNNING) {
      Thread thread = new Thread(server::stop, "end of " + server.member().id());
      thread.start();
      stopping.add(thread);
    }
    for (Thread thread : stopping) {
      try {
        thread.join();
      } catch (InterruptedException interrupted) {
        return;
      }
    }
  }
}
