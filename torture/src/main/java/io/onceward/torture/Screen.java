package io.onceward.torture;

import java.io.PrintStream;
import java.util.Locale;

/** Shows what happens, line by line, and on a terminal below it how many requests are decided. */
final class Screen {
  private static final long EVERY_NANOS = 1_000_000_000L;

  private final PrintStream out;
  private final boolean terminal;
  private int shown;
  private long last = System.nanoTime();
  private long lastDecided;

  Screen(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  synchronized void say(String line) {
    clear();
    out.println(line);
  }

  synchronized void decided(long decided) {
    long now = System.nanoTime();
    if (!terminal || now - last < EVERY_NANOS) {
      return;
    }
    long perSecond = (decided - lastDecided) * EVERY_NANOS / (now - last);
    last = now;
    lastDecided = decided;
    clear();
    String line = String.format(Locale.ROOT, "%,d answers, %,d a second", decided, perSecond);
    out.print(line);
    out.flush();
    shown = line.length();
  }

  synchronized void clear() {
    if (shown > 0) {
      out.print("\r" + " ".repeat(shown) + "\r");
      shown = 0;
    }
  }
}
