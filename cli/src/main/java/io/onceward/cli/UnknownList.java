package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.UnknownRequest;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the requests whose fate nobody knows. */
@Command(
    name = "ls",
    description = {
      "List the requests of guards that were started and whose fate nobody knows, the one that was",
      "started first in front."
    },
    footer = {
      "",
      "Examples:",
      "  onceward unknown ls",
      "  onceward unknown ls --store payments --limit 1000 --json",
      "  onceward unknown ls --jdbc 'jdbc:postgresql://localhost/shop?user=shop'"
    })
final class UnknownList extends ClaimsCommand {
  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "How many at most, from 1 to " + MOST + ". Default: 100.")
  private int limit = 100;

  UnknownList(Terminal terminal) {
    super(terminal);
  }

  @Override
  void check() {
    if (limit < 1 || limit > MOST) {
      throw new IllegalArgumentException("--limit is from 1 to " + MOST + ", not " + limit);
    }
  }

  @Override
  ExitCode ask(ClaimStore store) {
    // One more than is shown tells whether there are more.
    List<UnknownRequest> found = store.unknowns(limit + 1);
    boolean more = found.size() > limit;
    List<UnknownRequest> shown = more ? found.subList(0, limit) : found;
    TextTable table =
        new TextTable("KEY", "SCOPE", "PRINCIPAL", "OPERATION", "FENCE", "STARTED", "MEMO");
    for (UnknownRequest request : shown) {
      table.row(
          request.id().key().toString(),
          request.id().scope().name(),
          request.id().principal(),
          request.operation(),
          String.valueOf(request.fence()),
          DurationText.print(request.startedMillisAgo()) + " ago",
          BytesText.shown(Bytes.utf8(request.memo())));
    }
    String text = shown.isEmpty() ? "nothing is unknown" : table.toString();
    voice()
        .say(
            text + (more ? "\nthere are more; ask with a greater --limit" : ""),
            new Json()
                .objects("unknown", shown.stream().map(UnknownText::json).toList())
                .flag("more", more));
    return ExitCode.DONE;
  }
}
