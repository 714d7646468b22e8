package io.onceward.cli;

import io.onceward.client.ClusterStore;
import io.onceward.client.Onceward;
import io.onceward.client.OncewardException;
import io.onceward.client.UnreachableException;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Drops what a store of guards remembers of old requests (K4). */
@Command(
    name = "forget",
    description = {
      "Drop what a store of guards remembers of requests that were started longer ago than this, or",
      "before a moment, whatever their retention, but for those that are running or unknown. A",
      "forgotten dated id is refused from then on; a forgotten undated id would run again."
    },
    footer = {
      "",
      "Age is how long the cluster has been at work; retention goes by it too. An outage does not",
      "count, and a wrong clock changes nothing. --before compares with log time instead: after a",
      "leader's clock was far ahead, it does not reach what was started since.",
      "",
      "Examples:",
      "  onceward claims forget --older-than 30d --dry-run",
      "  onceward claims forget --older-than 30d --store payments",
      "  onceward claims forget --before 2026-10-01 --jdbc 'jdbc:postgresql://localhost/shop?user=shop'"
    })
final class ClaimsForget extends ClaimsCommand {
  /** Younger requests are still retried. */
  private static final Duration LEAST = Duration.ofMinutes(10);

  /** What is old: one of the two. */
  static final class Bound {
    @Option(
        names = "--older-than",
        required = true,
        paramLabel = "TIME",
        description = "How long ago, such as 36h or 30d, by age, in a cluster; at least 10m.")
    private @Nullable Duration olderThan;

    @Option(
        names = "--before",
        required = true,
        paramLabel = "DATE",
        description =
            "A day, such as 2026-10-01, or a moment, such as 2026-10-01T12:30:00Z, both UTC, by the"
                + " clock of the cluster or the database; at least 10m ago.")
    private @Nullable Instant before;
  }

  @ArgGroup(exclusive = true, multiplicity = "1")
  private @Nullable Bound bound;

  @Option(names = "--dry-run", description = "Only count.")
  private boolean dryRun;

  ClaimsForget(Terminal terminal) {
    super(terminal);
  }

  private Bound bound() {
    return Objects.requireNonNull(bound, "picocli requires it");
  }

  @Override
  void check() {
    Instant before = bound().before;
    Duration olderThan = bound().olderThan;
    if (before != null && before.isAfter(Instant.now().minus(LEAST))) {
      throw new IllegalArgumentException(
          "--before is at least 10m ago: younger requests are still retried");
    }
    if (olderThan != null && olderThan.compareTo(LEAST) < 0) {
      throw new IllegalArgumentException(
          "--older-than is at least 10m: younger requests are still retried");
    }
    if (olderThan != null && place().isInPostgres()) {
      throw new IllegalArgumentException(
          "--older-than goes by the age of a cluster; a PostgreSQL has none: give --before");
    }
  }

  @Override
  ExitCode ask(Onceward client, ClusterStore store) {
    Duration olderThan = bound().olderThan;
    if (olderThan == null) {
      return ask(store);
    }
    Duration age = age(client);
    Duration before = age.minus(olderThan);
    long records = dryRun ? store.countByAge(before) : forgotten(() -> store.forgetByAge(before));
    return say(
        records,
        "longer ago than "
            + DurationText.exact(olderThan.toMillis())
            + "; the age of the cluster is "
            + DurationText.print(age.toMillis()),
        new Json().number("requests", records).number("beforeAgeMillis", before.toMillis()));
  }

  private static Duration age(Onceward client) {
    try {
      return Duration.ofMillis(ClientCommand.await(client.admin().status()).ageMillis());
    } catch (UnreachableException nobody) {
      throw new StoreUnavailableException(String.valueOf(nobody.getMessage()), nobody);
    } catch (OncewardException problem) {
      throw new StoreUnavailableException(
          "the age of the cluster is not known: " + problem.getMessage(), problem);
    }
  }

  @Override
  ExitCode ask(ClaimStore store) {
    Instant before = Objects.requireNonNull(bound().before, "picocli requires one");
    long records = dryRun ? store.countOlderThan(before) : forgotten(() -> store.forget(before));
    return say(
        records,
        "before " + before,
        new Json().number("requests", records).text("before", before.toString()));
  }

  private ExitCode say(long records, String when, Json json) {
    voice()
        .say(
            (dryRun ? "would forget " : "forgot ")
                + records
                + (records == 1 ? " request" : " requests")
                + " started "
                + when,
            json.flag("dryRun", dryRun));
    return ExitCode.DONE;
  }

  private static long forgotten(LongSupplier forgetting) {
    try {
      return forgetting.getAsLong();
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
