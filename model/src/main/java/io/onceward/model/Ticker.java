package io.onceward.model;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Shows every second that the work goes on: TLC itself speaks once a minute. */
final class Ticker implements AutoCloseable {
  private final long startedNanos = System.nanoTime();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "progress");
            thread.setDaemon(true);
            return thread;
          });
  private volatile String said = "";

  Ticker(Consumer<String> line) {
    var unused = clock.scheduleAtFixedRate(() -> line.accept(now()), 0, 1, TimeUnit.SECONDS);
  }

  /** What to show besides the time from now on. */
  void says(String text) {
    said = ", " + text;
  }

  private String now() {
    return ", " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos) + " s" + said;
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
