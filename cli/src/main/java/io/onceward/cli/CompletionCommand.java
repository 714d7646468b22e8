package io.onceward.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the script by which a shell completes the commands. */
@Command(
    name = "completion",
    description = "Print the script with which bash or zsh completes commands and options.",
    footer = {
      "",
      "Examples:",
      "  source <(onceward completion bash)",
      "  source <(onceward completion zsh)"
    })
final class CompletionCommand implements Callable<Integer> {
  /** The shells that the script is for; it is the same for both. */
  enum Shell {
    bash,
    zsh
  }

  private final Terminal terminal;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private Shell shell = Shell.bash;

  CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    terminal.out().println("# Completion of onceward, for " + shell + ".");
    terminal.out().print(AutoComplete.bash("onceward", CommandTree.whole(terminal)));
    return ExitCode.DONE.number();
  }
}
