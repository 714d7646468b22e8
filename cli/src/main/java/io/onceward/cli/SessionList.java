package io.onceward.cli;

import io.onceward.client.Onceward;
import io.onceward.replica.Replica.SessionView;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists sessions in the order in which they were opened. */
@Command(
    name = "ls",
    description = "List sessions in the order in which they were opened.",
    footer = {
      "",
      "Examples:",
      "  onceward session ls",
      "  onceward session ls --after 4a0003 --limit 1000 --json"
    })
final class SessionList extends ClientCommand {
  private static final int MOST = 10_000;

  @Option(
      names = "--after",
      paramLabel = "SESSION",
      description = "Only sessions behind this one, as 'session ls' prints it.")
  private String after = "0";

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "How many at most, from 1 to " + MOST + ". Default: 100.")
  private int limit = 100;

  SessionList(Terminal terminal) {
    super(terminal);
  }

  @Override
  void check() {
    if (limit < 1 || limit > MOST) {
      throw new IllegalArgumentException("--limit is from 1 to " + MOST + ", not " + limit);
    }
    afterSession();
  }

  private long afterSession() {
    try {
      return Long.parseLong(after, 16);
    } catch (NumberFormatException notANumber) {
      throw new IllegalArgumentException(
          "--after is the number of a session as 'session ls' prints it, not \"" + after + "\"",
          notANumber);
    }
  }

  private static String last(List<SessionView> sessions) {
    return SessionText.number(sessions.get(sessions.size() - 1));
  }

  @Override
  ExitCode ask(Onceward client) {
    List<SessionView> sessions = await(client.admin().sessions(afterSession(), limit));
    TextTable table =
        new TextTable("SESSION", "CLIENT", "PRINCIPAL", "WATERMARK", "NEXT", "WINDOW", "IDLE");
    for (SessionView session : sessions) {
      table.row(
          SessionText.number(session),
          SessionText.client(session),
          session.principal(),
          String.valueOf(session.watermark()),
          String.valueOf(session.nextSequence()),
          session.window() + (session.ordered() ? "" : " unordered"),
          DurationText.print(session.idleMillis()));
    }
    boolean more = sessions.size() == limit;
    voice()
        .say(
            table + (more ? "\nthere may be more; go on with --after " + last(sessions) : ""),
            new Json()
                .objects("sessions", sessions.stream().map(SessionText::json).toList())
                .flag("more", more));
    return ExitCode.DONE;
  }
}
