package io.onceward.testkit;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Where a program prints its results. A {@link PrintStream} swallows exceptions, so it is asked at
 * the end: a result that went to a full disk or a closed pipe must not pass for a success.
 */
public final class ProgramOutput {
  /** The exit code of a program that succeeded, and whose output could not be written. */
  public static final int LOST = 12;

  private ProgramOutput() {}

  /** The standard output of this process. */
  public static PrintStream ofProcess() {
    return new PrintStream(System.out, true, StandardCharsets.UTF_8);
  }

  /** Ends this process as a program that would end with this code. */
  public static void exit(PrintStream out, int code) {
    System.exit(exitCode(out, code));
  }

  /** With which code a program ends that would end with this one. */
  public static int exitCode(PrintStream out, int code) {
    if (!out.checkError()) {
      return code;
    }
    System.err.println("onceward: the output cannot be written");
    return code == 0 ? LOST : code;
  }
}
