package io.onceward.cli;

/** What a command tells the shell. The numbers are a promise to scripts: they never change. */
enum ExitCode {
  DONE(0, "done"),
  NO(1, "the service said no, or there is no such thing; the message says what"),
  USAGE(2, "the command line is wrong; nothing was sent"),
  /** Java's own code for this ({@code -XX:+ExitOnOutOfMemoryError}); nothing else may have it. */
  MEMORY(3, "out of memory"),
  UNREACHABLE(4, "no node answered, or none leads; nothing was sent that changes anything"),
  REFUSED(5, "refused: the id was used for something else, was forgotten, abandoned ..."),
  PORT(6, "the server cannot listen on its port"),
  FOLDER(7, "the server cannot use its data folder"),
  NODE(8, "the node had to stop: disk full, log damaged, a service that broke ..."),
  BUG(9, "something unexpected; --verbose shows more"),
  /** Only the launcher, a shell script, ends with this one. */
  JAVA(10, "no JDK 17 or newer, or the build failed"),
  UNKNOWN(11, "the outcome is unknown; run it again, with the --request-id that is printed"),
  OUTPUT(12, "it was carried out, but its output cannot be written: disk full, pipe closed ..."),
  DIFFERS(13, "a node's state is not the same as the leader's; onceward status says which");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  int number() {
    return number;
  }

  String meaning() {
    return meaning;
  }
}
