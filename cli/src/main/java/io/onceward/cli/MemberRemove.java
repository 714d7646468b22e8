package io.onceward.cli;

import io.onceward.client.Onceward;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Removes a node from a running cluster. */
@Command(
    name = "remove",
    description = {
      "Remove a node from the cluster, whether it still runs or not. To bring a node back whose disk",
      "was lost, remove it first, then add it again with an empty folder."
    },
    footer = {"", "Examples:", "  onceward member remove d"})
final class MemberRemove extends AdminCommand {
  @Parameters(paramLabel = "ID", description = "The node to remove.")
  private String id = "";

  MemberRemove(Terminal terminal) {
    super(terminal);
  }

  @Override
  ExitCode administer(Onceward client) {
    String done = await(client.admin().removeMember(id));
    voice().say(done, new Json().text("done", done));
    return ExitCode.DONE;
  }
}
