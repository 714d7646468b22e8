package io.onceward.cli;

import io.onceward.guard.ClaimStore;
import io.onceward.guard.Evidence;
import io.onceward.guard.UnknownRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows one request whose fate nobody knows, and what arrived too late. */
@Command(
    name = "show",
    description = {
      "Show one request whose fate nobody knows, and every completion of it that came too late and was",
      "refused: that is evidence, since the effect may have happened twice. Exit code 1 if the request",
      "is not unknown; evidence is shown all the same."
    },
    footer = {
      "",
      "Examples:",
      "  onceward unknown show order-4711 --store payments",
      "  onceward unknown show order-4711 --jdbc 'jdbc:postgresql://localhost/shop?user=shop'"
    })
final class UnknownShow extends ClaimsCommand {
  @Mixin private final GuardedIdArgument argument = new GuardedIdArgument();

  UnknownShow(Terminal terminal) {
    super(terminal);
  }

  @Override
  void check() {
    argument.id();
  }

  @Override
  ExitCode ask(ClaimStore store) {
    Optional<UnknownRequest> found = argument.find(store);
    List<Evidence> evidence = store.evidence(argument.id());
    List<String> lines = new ArrayList<>();
    if (found.isPresent()) {
      describe(found.get(), lines);
    } else {
      lines.add(OneLine.of(argument.key() + " is not unknown"));
    }
    for (Evidence late : evidence) {
      lines.add("evidence     " + UnknownText.line(late));
    }
    Json json =
        found
            .map(UnknownText::json)
            .orElseGet(() -> UnknownText.json(argument.id()))
            .flag("unknown", found.isPresent())
            .objects("evidence", evidence.stream().map(UnknownText::json).toList());
    voice().say(String.join("\n", lines), json);
    return found.isPresent() ? ExitCode.DONE : ExitCode.NO;
  }

  private static void describe(UnknownRequest request, List<String> lines) {
    lines.add("key          " + OneLine.of(request.id().key().toString()));
    lines.add("scope        " + OneLine.of(request.id().scope().name()));
    lines.add("principal    " + OneLine.of(request.id().principal()));
    lines.add("operation    " + OneLine.of(request.operation()));
    lines.add("memo         " + OneLine.of(request.memo()));
    lines.add("fence        " + request.fence() + " (names this run in 'unknown resolve')");
    lines.add(
        "started      "
            + request.started()
            + " ("
            + DurationText.print(request.startedMillisAgo())
            + " ago)");
    lines.add("why          " + OneLine.of(request.why()));
    lines.add(
        "handed over  " + OneLine.of(request.id().idempotencyKey()) + " (as the idempotency key)");
  }
}
