package io.onceward.cli;

import io.onceward.client.Onceward;
import io.onceward.replica.Replica.SessionView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends somebody's session. */
@Command(
    name = "close",
    description = {
      "Close a session: what the cluster remembers of it is gone, and nothing of it can ever execute",
      "again. Its client is told NO_SESSION. A number that is gone already is a success, since numbers",
      "are never used twice; a name that has no session is exit code 1."
    },
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

  private String number = "";

  SessionClose(Terminal terminal) {
    super(terminal);
  }

  private static boolean isNumber(String word) {
    return word.matches("[0-9a-f]{1,16}");
  }

  /** By its number: a session that is opened meanwhile under the same name is another one. */
  @Override
  String advice() {
    return "run 'onceward session close " + number + "' until it succeeds";
  }

  @Override
  ExitCode administer(Onceward client) {
    if (isNumber(word) && SessionSearch.look(client, word).isEmpty()) {
      voice()
          .say(
              "there is no session " + word + " any more, if there ever was",
              new Json().text("closed", word));
      return ExitCode.DONE;
    }
    SessionView session = SessionSearch.find(client, word);
    number = SessionText.number(session);
    await(client.admin().closeSession(session));
    voice()
        .say(
            "closed session " + SessionText.number(session),
            new Json().text("closed", SessionText.number(session)));
    return ExitCode.DONE;
  }
}
