package io.onceward.cli;

import io.onceward.client.Onceward;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command finds the cluster, and how long it tries. */
final class Connection {
  static final String VARIABLE = "ONCEWARD_AT";
  private static final String DEFAULT_ADDRESS = "127.0.0.1:7400";

  @Option(
      names = "--at",
      paramLabel = "ADDRESS[,ADDRESS...]",
      description =
          "Where nodes are, as HOST:PORT; one that answers is enough. Default: "
              + VARIABLE
              + " from the environment, or "
              + DEFAULT_ADDRESS
              + ".")
  private @Nullable String at;

  @Option(
      names = "--deadline",
      paramLabel = "TIME",
      description = "How long to try, such as 500ms, 10s or 2m. Default: 10s.")
  private Duration deadline = Duration.ofSeconds(10);

  /** Whether addresses were given on the command line. */
  boolean isGiven() {
    return at != null;
  }

  Duration deadline() {
    return deadline;
  }

  /** The addresses that were given, or the default. */
  List<String> addresses(Terminal terminal) {
    String text = at != null ? at : terminal.environment().getOrDefault(VARIABLE, "");
    if (text.isBlank()) {
      text = DEFAULT_ADDRESS;
    }
    List<String> addresses = new ArrayList<>();
    for (String address : text.split(",", -1)) {
      try {
        addresses.add(MemberText.checkAddress(address.strip()));
      } catch (IllegalArgumentException wrong) {
        throw new CommandFailure(
            ExitCode.USAGE, (at != null ? "--at: " : VARIABLE + ": ") + wrong.getMessage());
      }
    }
    return addresses;
  }

  Onceward.Builder builder(Terminal terminal) {
    return Onceward.builder().addresses(addresses(terminal)).patience(deadline);
  }

  /** Nobody who could decide anything has answered. */
  CommandFailure unreachable(Terminal terminal) {
    return new CommandFailure(
        ExitCode.UNREACHABLE,
        "no leader answers at "
            + String.join(", ", addresses(terminal))
            + " within "
            + DurationText.exact(deadline.toMillis())
            + "; is a server running there, and a majority of its members?");
  }
}
