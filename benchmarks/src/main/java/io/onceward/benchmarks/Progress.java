package io.onceward.benchmarks;

import java.io.PrintStream;
import java.time.Duration;

/** Says how far the work is. */
public final class Progress {
  private final PrintStream err;
  private final long startNanos = System.nanoTime();

  public Progress(PrintStream err) {
    this.err = err;
  }

  public void tell(int done, int all, String what) {
    err.println("[" + (done + 1) + "/" + all + ", " + seconds() + " s] " + what);
  }

  public void end() {
    err.println("measured for " + seconds() + " s");
  }

  private long seconds() {
    return Duration.ofNanos(System.nanoTime() - startNanos).toSeconds();
  }
}
