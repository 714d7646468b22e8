package io.onceward.cli;

import io.onceward.client.Onceward;
import io.onceward.client.OncewardException;
import io.onceward.client.OutcomeUnknownException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Takes snapshots now. */
@Command(
    name = "snapshot",
    description =
        "Take a snapshot now, on every node that answers or on those named. Nodes go on working"
            + " meanwhile. Exit code 4 if one of them does not answer.",
    footer = {"", "Examples:", "  onceward snapshot", "  onceward snapshot node2 node3"})
final class SnapshotCommand extends AdminCommand {
  @Parameters(paramLabel = "NODE", arity = "0..*", description = "Only these nodes.")
  private List<String> wanted = new ArrayList<>();

  SnapshotCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  ExitCode administer(Onceward client) {
    ClusterView cluster = ClusterView.of(client, connection().addresses(voice().terminal()), false);
    List<String> ids = cluster.nodes().stream().map(ClusterView.Seen::id).toList();
    for (String id : wanted) {
      if (!ids.contains(id)) {
        throw new CommandFailure(
            ExitCode.NO, "there is no node " + id + "; there are " + String.join(", ", ids));
      }
    }
    ExitCode exit = ExitCode.DONE;
    for (ClusterView.Seen node : cluster.nodes()) {
      if (!wanted.isEmpty() && !wanted.contains(node.id())) {
        continue;
      }
      if (node.status() == null) {
        voice().remark(node.id() + " does not answer and takes no snapshot");
        exit = ExitCode.UNREACHABLE;
      } else {
        ExitCode one = snapshot(client, node);
        exit = one == ExitCode.DONE ? exit : one;
      }
    }
    return exit;
  }

  /** On one node; whatever happens there, the others get their turn. */
  private ExitCode snapshot(Onceward client, ClusterView.Seen node) {
    String done;
    try {
      done = await(client.admin().snapshot(node.address()));
    } catch (OncewardException problem) {
      CommandFailure failure = Explanation.of(problem);
      voice()
          .complain(
              new CommandFailure(
                  failure.exit(),
                  node.id()
                      + ": "
                      + (problem instanceof OutcomeUnknownException unknown
                          ? unknown.why()
                          : failure.sentence()),
                  failure.details().text("node", node.id()),
                  problem));
      return failure.exit();
    }
    voice().say(node.id() + ": " + done, new Json().text("node", node.id()).text("done", done));
    return ExitCode.DONE;
  }
}
