package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.services.LeaseCommand;
import io.onceward.services.LeaseReply;
import io.onceward.services.ServiceDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Tells who holds a lease. */
@Command(
    name = "show",
    description = "Tell who holds a lease, and until when. Exit code 1 if nobody does.",
    footer = {"", "Examples:", "  onceward lease show nightly-job"})
final class LeaseShow extends QueryCommand {
  @Parameters(paramLabel = "NAME", description = "The lease's name.")
  private String name = "";

  LeaseShow(Terminal terminal) {
    super(terminal, ServiceDirectory.LEASE);
  }

  @Override
  Bytes question() {
    return LeaseCommand.encode(new LeaseCommand.Get(name));
  }

  @Override
  Told told(Bytes answer) {
    if (LeaseReply.decode(answer) instanceof LeaseReply.Held held) {
      return LeaseText.held(name, held);
    }
    return new Told("nobody holds " + name, LeaseText.free(name), ExitCode.NO);
  }
}
