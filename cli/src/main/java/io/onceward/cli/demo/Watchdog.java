package io.onceward.cli.demo;

import java.io.Closeable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Barks if a part of the demo takes longer than it may: a demo that hangs proves nothing. */
final class Watchdog implements Closeable {
  private final Thread watched;
  private final Consumer<String> bark;
  private final Thread thread = new Thread(this::watch, "watchdog");
  private String part = "";
  private long mostMillis = Long.MAX_VALUE;
  private long deadlineNanos;
  private boolean closed;

  private Watchdog(Thread watched, Consumer<String> bark) {
    this.watched = watched;
    this.bark = bark;
  }

  /**
   * Watches this thread.
   *
   * @param bark is told, once, what took too long and where it stood
   */
  static Watchdog over(Thread watched, Consumer<String> bark) {
    Watchdog dog = new Watchdog(watched, bark);
    dog.thread.setDaemon(true);
    dog.thread.start();
    return dog;
  }

  /** From now on this part is going on. */
  synchronized void during(String part, long mostMillis) {
    this.part = part;
    this.mostMillis = mostMillis;
    this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(mostMillis);
    notifyAll();
  }

  private void watch() {
    String late;
    try {
      late = awaitDeadline();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return;
    }
    if (!late.isEmpty()) {
      bark.accept(late);
    }
  }

  private synchronized String awaitDeadline() throws InterruptedException {
    while (!closed) {
      if (mostMillis == Long.MAX_VALUE) {
        wait();
        continue;
      }
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      if (leftMillis <= 0) {
        return part + " took longer than " + mostMillis / 1_000 + " s; it stood at " + place();
      }
      wait(leftMillis);
    }
    return "";
  }

  private String place() {
    StringBuilder place = new StringBuilder();
    StackTraceElement[] trace = watched.getStackTrace();
    for (StackTraceElement frame : trace) {
      if (frame.getClassName().startsWith("io.onceward.")) {
        place.append(place.isEmpty() ? "" : " < ").append(frame);
      }
    }
    return place.toString();
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
