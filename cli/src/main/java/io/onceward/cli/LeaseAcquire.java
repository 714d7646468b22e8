package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.services.LeaseCommand;
import io.onceward.services.LeaseReply;
import io.onceward.services.ServiceDirectory;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a lease that nobody holds. */
@Command(
    name = "acquire",
    description =
        "Take a lease that nobody holds, and print its token. Exit code 1 if somebody holds it.",
    footer = {
      "",
      "Examples:",
      "  onceward lease acquire nightly-job host-7 --ttl 5m",
      "  onceward lease acquire nightly-job host-7 --ttl 5m --request-id night-2026-11-15"
    })
final class LeaseAcquire extends RequestCommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "The lease's name.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "HOLDER", description = "Who takes it.")
  private String holder = "";

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      description = "How long it lives unless it is renewed. Default: 30s.")
  private Duration ttl = Duration.ofSeconds(30);

  LeaseAcquire(Terminal terminal) {
    super(terminal, ServiceDirectory.LEASE);
  }

  @Override
  Bytes command() {
    return LeaseCommand.encode(new LeaseCommand.Acquire(name, holder, ttl.toMillis()));
  }

  @Override
  Told told(Bytes answer) {
    return LeaseText.granted(name, holder, (LeaseReply.Granted) LeaseReply.decode(answer));
  }
}
