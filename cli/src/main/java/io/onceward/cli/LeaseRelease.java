package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.services.LeaseCommand;
import io.onceward.services.ServiceDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Gives a lease back. */
@Command(
    name = "release",
    description = "Give a lease back. Exit code 1 if it is no longer yours.",
    footer = {"", "Examples:", "  onceward lease release nightly-job host-7 12"})
final class LeaseRelease extends RequestCommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "The lease's name.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "HOLDER", description = "Who holds it.")
  private String holder = "";

  @Parameters(index = "2", paramLabel = "TOKEN", description = "The token that acquire printed.")
  private long token;

  LeaseRelease(Terminal terminal) {
    super(terminal, ServiceDirectory.LEASE);
  }

  @Override
  Bytes command() {
    return LeaseCommand.encode(new LeaseCommand.Release(name, holder, token));
  }

  @Override
  Told told(Bytes answer) {
    return Told.done("released " + name, LeaseText.free(name));
  }
}
