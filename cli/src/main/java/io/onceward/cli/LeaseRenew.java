package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.services.LeaseCommand;
import io.onceward.services.LeaseReply;
import io.onceward.services.ServiceDirectory;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lets a lease live longer. */
@Command(
    name = "renew",
    description = "Let a lease live for so long from now. Exit code 1 if it is no longer yours.",
    footer = {"", "Examples:", "  onceward lease renew nightly-job host-7 12 --ttl 5m"})
final class LeaseRenew extends RequestCommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "The lease's name.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "HOLDER", description = "Who holds it.")
  private String holder = "";

  @Parameters(index = "2", paramLabel = "TOKEN", description = "The token that acquire printed.")
  private long token;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      description = "How long it lives unless it is renewed again. Default: 30s.")
  private Duration ttl = Duration.ofSeconds(30);

  LeaseRenew(Terminal terminal) {
    super(terminal, ServiceDirectory.LEASE);
  }

  @Override
  Bytes command() {
    return LeaseCommand.encode(new LeaseCommand.Renew(name, holder, token, ttl.toMillis()));
  }

  @Override
  Told told(Bytes answer) {
    return LeaseText.granted(name, holder, (LeaseReply.Granted) LeaseReply.decode(answer));
  }
}
