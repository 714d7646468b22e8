package io.onceward.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What surrounds a command: where it reads, where it writes, and its environment. */
record Terminal(InputStream in, PrintStream out, PrintStream err, Map<String, String> environment) {

  /** The one that this process was started in. What is printed is UTF-8, whatever the locale. */
  static Terminal ofProcess() {
    return new Terminal(
        System.in,
        ResultStream.ofProcess(),
        new PrintStream(System.err, true, StandardCharsets.UTF_8),
        System.getenv());
  }

  /** A writer to one of the streams, for whoever needs one. */
  static PrintWriter printer(PrintStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }
}
