package io.onceward.cli.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** How large the terminal is; asked again now and then, because people resize it. */
final class TerminalSize {
  /** Rows and columns. */
  record Size(int rows, int columns) {}

  private static final Size USUAL = new Size(24, 80);
  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PATIENCE_MILLIS = 500;

  private Size size = USUAL;
  private long askedNanos;
  private boolean asked;

  synchronized Size now() {
    long now = System.nanoTime();
    if (!asked || now - askedNanos > ASK_AGAIN_NANOS) {
      size = ask();
      asked = true;
      askedNanos = now;
    }
    return size;
  }

  private Size ask() {
    try {
      Process stty =
          new ProcessBuilder("sh", "-c", "stty size </dev/tty")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      stty.getOutputStream().close();
      String answer =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      stty.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      return parse(answer);
    } catch (IOException unknown) {
      return size;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return size;
    }
  }

  /** Reads {@code rows columns}; a terminal that knows no size says 0. */
  static Size parse(String answer) {
    String[] words = answer.split(" ", -1);
    try {
      if (words.length == 2) {
        int rows = Integer.parseInt(words[0]);
        int columns = Integer.parseInt(words[1]);
        return new Size(rows > 0 ? rows : USUAL.rows(), columns > 0 ? columns : USUAL.columns());
      }
    } catch (NumberFormatException unknown) {
      // As good as no answer.
    }
    return USUAL;
  }

  /** Whether what this process prints goes to a terminal. */
  static boolean isTerminal() {
    try {
      return new ProcessBuilder("sh", "-c", "test -t 1")
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException unknown) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
