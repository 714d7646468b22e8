package io.onceward.cli;

import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What libraries log, all of it through java.util.logging: nothing, unless somebody asked to see
 * it. Whatever a user has to know is said by a command in a line of its own.
 */
final class Logs {
  /** Loggers are held weakly by their manager; this one carries the level of all. */
  private static final Logger ROOT = Logger.getLogger("");

  private Logs() {}

  static void silence() {
    LogManager.getLogManager().reset();
    ROOT.setLevel(Level.OFF);
  }

  static void show() {
    LogManager.getLogManager().reset();
    ConsoleHandler console = new ConsoleHandler();
    console.setLevel(Level.INFO);
    console.setFormatter(new OneLine());
    ROOT.addHandler(console);
    ROOT.setLevel(Level.INFO);
  }

  static void set(boolean visible) {
    if (visible) {
      show();
    } else {
      silence();
    }
  }

  /** Time, level, who, what; the exception in full where there is one. */
  private static final class OneLine extends Formatter {
    @Override
    public String format(LogRecord record) {
      StringBuilder line = new StringBuilder();
      line.append(record.getInstant()).append(' ').append(record.getLevel()).append(' ');
      String name = String.valueOf(record.getLoggerName());
      line.append(name.substring(name.lastIndexOf('.') + 1)).append(": ");
      line.append(formatMessage(record)).append(System.lineSeparator());
      Throwable thrown = record.getThrown();
      if (thrown != null) {
        java.io.StringWriter trace = new java.io.StringWriter();
        thrown.printStackTrace(new java.io.PrintWriter(trace, true));
        line.append(trace);
      }
      return line.toString();
    }
  }
}
