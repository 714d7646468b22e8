package io.onceward.cli;

import java.net.BindException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Why a server did not start, told apart for the exit code. */
final class StartFailure {
  /** What Netty's native transport puts before the words of the operating system. */
  private static final Pattern NATIVE_PREFIX =
      Pattern.compile("bind\\(\\.\\.\\) failed with error\\(-?[0-9]+\\): ");

  private StartFailure() {}

  static CommandFailure of(Exception problem) {
    String message = sentence(problem);
    ExitCode exit =
        message.startsWith("data folder")
            ? ExitCode.FOLDER
            : message.startsWith("cannot listen") || isAboutPorts(problem)
                ? ExitCode.PORT
                : ExitCode.NODE;
    return new CommandFailure(exit, message, new Json(), problem);
  }

  private static String sentence(Exception problem) {
    String message = problem.getMessage();
    if (message == null || message.isBlank()) {
      return problem.toString();
    }
    String plain = NATIVE_PREFIX.matcher(message).replaceAll("");
    return plain.endsWith("Address already in use")
        ? plain + "; stop what uses the port, or choose another with --listen or --member"
        : plain;
  }

  private static boolean isAboutPorts(@Nullable Throwable problem) {
    for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return true;
      }
    }
    return false;
  }
}
