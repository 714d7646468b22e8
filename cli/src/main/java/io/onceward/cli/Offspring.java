package io.onceward.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The servers that this process has started and that still run, and folders that are its own. When
 * it ends, they are stopped, and then the folders are removed.
 */
final class Offspring {
  private static final Set<ServerProcess> RUNNING = ConcurrentHashMap.newKeySet();
  private static final Set<ScratchFolder> FOLDERS = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Offspring::endAll, "end of offspring"));
  }

  private Offspring() {}

  static void add(ServerProcess server) {
    RUNNING.add(server);
  }

  static void remove(ServerProcess server) {
    RUNNING.remove(server);
  }

  static void add(ScratchFolder folder) {
    FOLDERS.add(folder);
  }

  static void remove(ScratchFolder folder) {
    FOLDERS.remove(folder);
  }

  private static void endAll() {
    stopAll();
    FOLDERS.forEach(folder -> ScratchFolder.remove(folder.path()));
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
