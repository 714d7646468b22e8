package io.onceward.benchmarks.jdbc;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that all do the same until they are told to stop, and how often they did it. */
final class Crowd implements AutoCloseable {
  /** What each of them does, over and over. */
  @FunctionalInterface
  interface Deed {
    void run() throws SQLException, InterruptedException;
  }

  private final ExecutorService threads;
  private final List<Future<?>> running = new ArrayList<>();
  private final AtomicLong done = new AtomicLong();
  private volatile boolean stopped;

  Crowd(int size, Deed deed) {
    threads = Executors.newFixedThreadPool(size);
    for (int i = 0; i < size; i++) {
      running.add(
          threads.submit(
              () -> {
                while (!stopped) {
                  deed.run();
                  done.incrementAndGet();
                }
                return null;
              }));
    }
  }

  /** Deeds per second, over so many seconds from now. */
  double perSecond(double seconds) throws IOException {
    long before = done.get();
    long begin = System.nanoTime();
    try {
      TimeUnit.NANOSECONDS.sleep((long) (seconds * 1e9));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while measuring", e);
    }
    return (done.get() - before) * 1e9 / (System.nanoTime() - begin);
  }

  /** Lets all of them end what they are at. */
  @Override
  public void close() throws IOException {
    stopped = true;
    threads.shutdown();
    try {
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a transfer failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while measuring", e);
    }
  }
}
