package io.onceward.cli;

import io.onceward.client.Onceward;
import io.onceward.replica.Replica.SessionView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one session. */
@Command(
    name = "show",
    description = "Show one session. Exit code 1 if there is no such session.",
    footer = {
      "",
      "Examples:",
      "  onceward session show 4a0003",
      "  onceward session show durable:billing"
    })
final class SessionShow extends ClientCommand {
  @Parameters(
      paramLabel = "SESSION",
      description = "Its number, as 'session ls' prints it, or durable:NAME or auto:NAME.")
  private String word = "";

  SessionShow(Terminal terminal) {
    super(terminal);
  }

  @Override
  ExitCode ask(Onceward client) {
    SessionView session = SessionSearch.find(client, word);
    String lines =
        String.join(
            "\n",
            "session      " + SessionText.number(session),
            "client       " + OneLine.of(SessionText.client(session)),
            "principal    " + OneLine.of(session.principal()),
            "incarnation  " + Long.toHexString(session.incarnation()),
            "watermark    " + session.watermark() + " (replies from here on are kept)",
            "next         " + session.nextSequence(),
            "window       " + session.window(),
            "ordered      " + (session.ordered() ? "yes" : "no"),
            "idle         " + DurationText.print(session.idleMillis()));
    voice().say(lines, SessionText.json(session));
    return ExitCode.DONE;
  }
}
