package io.onceward.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a process paused for as long as somebody holds the leash. Who pauses a process and is then
 * killed would leave it behind, stopped for ever; so the one who lets it go on is a small process
 * that waits for the end of its input, and that end comes with the death of the holder too.
 */
final class Leash implements Closeable {
  private static final String SCRIPT =
      "trap '' INT HUP TERM; kill -STOP \"$0\" && echo paused && read -r end; kill -CONT \"$0\"";

  private static final long PATIENCE_SECONDS = 5;

  private final long pid;
  private final Process keeper;

  private Leash(long pid, Process keeper) {
    this.pid = pid;
    this.keeper = keeper;
  }

  /** Pauses the process; returns when the signal was sent, which the kernel obeys in a moment. */
  static Leash on(long pid) throws IOException {
    Process keeper =
        new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(pid))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    // One byte is enough: it comes after the signal was sent.
    if (keeper.getInputStream().read() < 0) {
      throw new IOException("process " + pid + " cannot be paused");
    }
    return new Leash(pid, keeper);
  }

  /** Lets the process go on; returns when it does. */
  @Override
  public void close() throws IOException {
    keeper.getOutputStream().close();
    try {
      if (!keeper.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        keeper.destroyForcibly();
        throw new IOException("process " + pid + " could not be told to go on");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
