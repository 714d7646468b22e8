package io.onceward.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Unmatched;

/**
 * A program of its own, in another module, that the launcher starts. It stands among the commands
 * so that help and completion know it.
 */
final class LauncherCommand implements Callable<Integer> {
  private final String name;

  @Unmatched private List<String> words = new ArrayList<>();

  private LauncherCommand(String name) {
    this.name = name;
  }

  static CommandLine of(String name, String description) {
    CommandLine command =
        new CommandLine(CommandSpec.forAnnotatedObject(new LauncherCommand(name)));
    command.getCommandSpec().name(name).usageMessage().description(description);
    return command;
  }

  @Override
  public Integer call() {
    throw new CommandFailure(
        ExitCode.USAGE,
        "'"
            + name
            + "' is a program of its own; the launcher starts it: ./onceward "
            + ShellWord.line(Stream.concat(Stream.of(name), words.stream()).toList()));
  }
}
