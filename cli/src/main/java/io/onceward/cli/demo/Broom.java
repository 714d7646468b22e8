package io.onceward.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Removes the demo's folder if the demo is killed and cannot do it itself: a small process that
 * waits for the end of its input, lets the servers find theirs, and then sweeps.
 */
final class Broom {
  private static final String SCRIPT =
      "trap '' INT HUP TERM; read -r end; sleep 7; rm -rf -- \"$0\"";

  private static final long PATIENCE_SECONDS = 5;

  private final Process process;

  private Broom(Process process) {
    this.process = process;
  }

  static Broom over(Path folder) throws IOException {
    return new Broom(
        new ProcessBuilder("sh", "-c", SCRIPT, folder.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /** Nothing is to be swept any more. */
  void putAway() {
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
