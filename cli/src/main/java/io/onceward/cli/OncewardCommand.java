package io.onceward.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The root of all commands; by itself it only tells about them. */
@Command(name = "onceward", description = "Retry all you like; it happens once.")
final class OncewardCommand {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  @Option(names = "--version", versionHelp = true, description = "Show the version.")
  private boolean version;
}
