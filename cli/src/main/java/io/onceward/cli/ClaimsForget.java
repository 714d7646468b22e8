package io.onceward.cli;

import io.onceward.guard.ClaimStore;
import io.onceward.guard.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Drops what a store of guards remembers of old requests (K4). */
@Command(
    name = "forget",
    description = {
      "Drop what a store of guards remembers of requests that were started before a moment, whatever",
      "their retention, but for those that are running or unknown. A forgotten dated id is refused",
      "from then on; a forgotten undated id would run again."
    },
    footer = {
      "",
      "Examples:",
      "  onceward claims forget --before 2026-10-01 --dry-run",
      "  onceward claims forget --before 2026-10-01 --store payments",
      "  onceward claims forget --before 2026-10-01 --jdbc 'jdbc:postgresql://localhost/shop?user=shop'"
    })
final class ClaimsForget extends ClaimsCommand {
  /** Younger requests are still retried. */
  private static final Duration LEAST = Duration.ofMinutes(10);

  @Option(
      names = "--before",
      required = true,
      paramLabel = "DATE",
      description =
          "A day, such as 2026-10-01, or a moment, such as 2026-10-01T12:30:00Z, both UTC, by the"
              + " clock of the cluster or the database; at least 10m ago.")
  private @Nullable Instant before;

  @Option(names = "--dry-run", description = "Only count.")
  private boolean dryRun;

  ClaimsForget(Terminal terminal) {
    super(terminal);
  }

  private Instant before() {
    return Objects.requireNonNull(before, "picocli requires it");
  }

  @Override
  void check() {
    if (before().isAfter(Instant.now().minus(LEAST))) {
      throw new IllegalArgumentException(
          "--before is at least 10m ago: younger requests are still retried");
    }
  }

  @Override
  ExitCode ask(ClaimStore store) {
    long records = dryRun ? store.countOlderThan(before()) : forgotten(store);
    voice()
        .say(
            (dryRun ? "would forget " : "forgot ")
                + records
                + (records == 1 ? " request" : " requests")
                + " started before "
                + before(),
            new Json()
                .number("requests", records)
                .text("before", before().toString())
                .flag("dryRun", dryRun));
    return ExitCode.DONE;
  }

  private long forgotten(ClaimStore store) {
    try {
      return store.forget(before());
    } catch (StoreUnavailableException away) {
      if (isUnreachable(away)) {
        throw away;
      }
      throw new CommandFailure(
          ExitCode.UNKNOWN,
          away.getMessage() + "; run the same again: it forgets what is left",
          new Json(),
          away);
    }
  }
}
