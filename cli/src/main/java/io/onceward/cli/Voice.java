package io.onceward.cli;

import java.io.PrintStream;
import picocli.CommandLine.Option;

/** How a command speaks: a line for people, or a JSON object for programs. */
final class Voice {
  private final Terminal terminal;

  @Option(names = "--json", description = "Print one JSON object per line.")
  private boolean json;

  @Option(
      names = {"-v", "--verbose"},
      description = "Say more: request ids, and what the libraries log.")
  private boolean verbose;

  Voice(Terminal terminal) {
    this.terminal = terminal;
  }

  boolean isVerbose() {
    return verbose;
  }

  boolean isJson() {
    return json;
  }

  Terminal terminal() {
    return terminal;
  }

  /** What was asked for. */
  void say(String line, Json object) {
    PrintStream out = terminal.out();
    out.println(json ? object.toString() : line);
    out.flush();
  }

  /** Something that only helps, on the error stream, so that it never mixes with results. */
  void remark(String line) {
    terminal.err().println("onceward: " + line);
  }

  /** Why it did not work. */
  void complain(CommandFailure failure) {
    if (json) {
      terminal
          .err()
          .println(
              new Json()
                  .text("error", failure.sentence())
                  .number("exit", failure.exit().number())
                  .and(failure.details()));
    } else {
      remark(failure.sentence());
    }
    Throwable cause = failure.getCause();
    if (cause != null && (verbose || failure.exit() == ExitCode.BUG)) {
      cause.printStackTrace(terminal.err());
    }
  }
}
