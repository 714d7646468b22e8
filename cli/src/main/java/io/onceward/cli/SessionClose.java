package io.onceward.cli;

import io.onceward.client.Onceward;
import io.onceward.replica.Replica.SessionView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends somebody's session. */
@Command(
    name = "close",
    description =
        "Close a session: what the cluster remembers of it is gone, and nothing of it can ever execute"
            + " again. Its client is told NO_SESSION.",
    footer = {
      "",
      "Examples:",
      "  onceward session close 4a0003",
      "  onceward session close auto:worker-3"
    })
final class SessionClose extends AdminCommand {
  @Parameters(
      paramLabel = "SESSION",
      description = "Its number, as 'session ls' prints it, or durable:NAME or auto:NAME.")
  private String word = "";

  SessionClose(Terminal terminal) {
    super(terminal);
  }

  @Override
  ExitCode administer(Onceward client) {
    SessionView session = SessionSearch.find(client, word);
    await(client.admin().closeSession(session));
    voice()
        .say(
            "closed session " + SessionText.number(session),
            new Json().text("closed", SessionText.number(session)));
    return ExitCode.DONE;
  }
}
