package io.onceward.testkit;

import java.io.Console;
import java.io.PrintStream;

/** Shows how far a program is: in place on a terminal, as a few plain lines anywhere else. */
public final class ProgressLine {
  private static final int PLAIN_LINES = 10;

  private final PrintStream out;
  private final boolean terminal;
  private final long total;
  private int shown;

  public ProgressLine(PrintStream out, boolean terminal, long total) {
    this.out = out;
    this.terminal = terminal;
    this.total = total;
  }

  /** Whether standard output is looked at by a person. */
  @SuppressWarnings(
      "SystemConsoleNull") // On Java 17 null is the answer; later ones are asked below.
  public static boolean onTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException olderJava) {
      return true;
    }
  }

  /** So much is done. */
  public void show(long done, String text) {
    if (terminal) {
      String line = done + " of " + total + text;
      out.print("\r" + line + " ".repeat(Math.max(0, shown - line.length())));
      out.flush();
      shown = line.length();
    } else if (done * PLAIN_LINES / total != (done - 1) * PLAIN_LINES / total) {
      out.println(done + " of " + total + text);
    }
  }

  /** Makes room for other lines. */
  public void clear() {
    if (terminal && shown > 0) {
      out.print("\r" + " ".repeat(shown) + "\r");
      shown = 0;
    }
  }
}
