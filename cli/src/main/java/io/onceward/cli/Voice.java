package io.onceward.cli;

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

  /** A voice for what is wrong before any command was found that has one. */
  static Voice of(Terminal terminal, boolean json) {
    Voice voice = new Voice(terminal);
    voice.json = json;
    return voice;
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
    terminal.out().println(json ? object.toString() : line);
    checkOutput();
  }

  /**
   * Sees to it that what was said got out.
   *
   * @throws CommandFailure if it did not; what the command was to do, it has done
   */
  void checkOutput() {
    String problem = ResultStream.problem(terminal.out());
    if (problem != null) {
      throw lost(problem);
    }
  }

  static CommandFailure lost(String problem) {
    return new CommandFailure(
        ExitCode.OUTPUT, "done, but the output cannot be written: " + problem);
  }

  /** A sentence on the error stream, with what programs are told beside it. */
  void complain(String sentence, Json details) {
    if (json) {
      terminal.err().println(new Json().text("error", sentence).and(details));
    } else {
      remark(sentence);
    }
  }

  /** Something that only helps, on the error stream, so that it never mixes with results. */
  void remark(String line) {
    terminal.err().println(json ? new Json().text("remark", line) : "onceward: " + line);
  }

  /** Why it did not work. */
  void complain(CommandFailure failure) {
    complain(
        OneLine.of(failure.sentence()),
        new Json().number("exit", failure.exit().number()).and(failure.details()));
    Throwable cause = failure.getCause();
    if (cause != null && (verbose || failure.exit() == ExitCode.BUG)) {
      cause.printStackTrace(terminal.err());
    }
  }
}
