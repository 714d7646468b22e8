package io.onceward.cli;

import io.onceward.client.Onceward;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lets another node lead. */
@Command(
    name = "transfer-leader",
    description = "Let another node lead, before the present leader is stopped for instance.",
    footer = {"", "Examples:", "  onceward transfer-leader", "  onceward transfer-leader node2"})
final class TransferLeaderCommand extends AdminCommand {
  @Parameters(
      paramLabel = "NODE",
      arity = "0..1",
      description = "Who is to lead. Default: whoever is furthest.")
  private String node = "";

  TransferLeaderCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  String advice() {
    return "look with 'onceward status' before you try again";
  }

  @Override
  ExitCode administer(Onceward client) {
    String done = await(client.admin().transferLeader(node));
    voice().say(done, new Json().text("done", done));
    return ExitCode.DONE;
  }
}
