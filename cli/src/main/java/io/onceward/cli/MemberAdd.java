package io.onceward.cli;

import io.onceward.client.Onceward;
import io.onceward.wire.Member;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Adds a node to a running cluster. */
@Command(
    name = "add",
    description =
        "Add a node to the running cluster. It must run with --join and an empty data folder.",
    footer = {
      "",
      "Examples:",
      "  onceward server --join --node d --listen 10.0.0.8:7400     # there",
      "  onceward member add d=10.0.0.8:7400                        # anywhere"
    })
final class MemberAdd extends AdminCommand {
  @Parameters(paramLabel = "ID=HOST:PORT[/PEERPORT]", description = "The new node.")
  private @Nullable Member member;

  MemberAdd(Terminal terminal) {
    super(terminal);
  }

  @Override
  ExitCode administer(Onceward client) {
    Member added = Objects.requireNonNull(member, "picocli requires it");
    String done = await(client.admin().addMember(added));
    voice().say(done, new Json().text("done", done));
    return ExitCode.DONE;
  }
}
