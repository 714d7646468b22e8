package io.onceward.cli;

import io.onceward.client.Onceward;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts a service in force that was added to a running cluster. */
@Command(
    name = "enable",
    description = {
      "Put a service in force that was added to a running cluster, by a logged command. Restart every",
      "node with the service first: a node that does not host it stops when it meets this command.",
      "So all members are asked before, and if one lacks it or does not answer, nothing is done.",
      "Services that the first node hosts when it forms the cluster are in force from the start."
    },
    footer = {"", "Examples:", "  onceward enable ledger"})
final class EnableCommand extends AdminCommand {
  @Parameters(index = "0", paramLabel = "SERVICE", description = "The name of the service.")
  private String name = "";

  @Option(
      names = "--force",
      description = "Ask nobody. Members that do not host the service will stop.")
  private boolean force;

  EnableCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  String advice() {
    return "run the same again; enabling twice does no harm";
  }

  @Override
  ExitCode administer(Onceward client) {
    await(force ? client.admin().enableServiceUnchecked(name) : client.admin().enableService(name));
    voice().say(name + " is enabled", new Json().text("service", name));
    return ExitCode.DONE;
  }
}
