package io.onceward.cli;

import io.onceward.server.OncewardServer;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Stops a server in order when its process is told to end, and lets the process end with code 0:
 * who asked a server to stop has got what he asked for.
 */
final class CleanStop {
  private static final long MOST_MILLIS = TimeUnit.SECONDS.toMillis(4);

  private final OncewardServer server;
  private final Thread hook = new Thread(this::stopAndEnd, "onceward-stop");

  private CleanStop(OncewardServer server) {
    this.server = server;
  }

  static CleanStop of(OncewardServer server) {
    CleanStop stop = new CleanStop(server);
    Runtime.getRuntime().addShutdownHook(stop.hook);
    return stop;
  }

  private void stopAndEnd() {
    Runtime.getRuntime().halt(close() ? ExitCode.DONE.number() : ExitCode.NODE.number());
  }

  /** From now on the process ends as others do. */
  void cancel() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyEnding) {
      // Then it ends as it was told to.
    }
  }

  /** Whether the server closed in time. What it promised is on disk, whether it did or not. */
  boolean close() {
    Thread closing =
        new Thread(
            () -> {
              try {
                server.close();
              } catch (IOException problem) {
                // The lock on the folder ends with the process.
              }
            },
            "onceward-close");
    closing.setDaemon(true);
    closing.start();
    try {
      closing.join(MOST_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return !closing.isAlive();
  }
}
