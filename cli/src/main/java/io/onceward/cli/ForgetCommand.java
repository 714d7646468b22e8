package io.onceward.cli;

import io.onceward.client.Admin.Forgotten;
import io.onceward.client.Onceward;
import io.onceward.replica.Parameter;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Drops the memory of old keys. */
@Command(
    name = "forget",
    description = {
      "Drop what is remembered of requests by key that arrived longer ago than this, on every node",
      "alike. A forgotten dated id is refused from then on; a forgotten undated id would execute",
      "again. Sessions are not touched."
    },
    footer = {
      "",
      "Examples:",
      "  onceward forget --older-than 30d --dry-run",
      "  onceward forget --older-than 30d"
    })
final class ForgetCommand extends AdminCommand {
  @Option(
      names = "--older-than",
      required = true,
      paramLabel = "TIME",
      description = "How long ago, such as 36h or 30d, by log time; at least 10m.")
  private @Nullable Duration olderThan;

  @Option(names = "--dry-run", description = "Only count.")
  private boolean dryRun;

  ForgetCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void check() {
    long least = Parameter.RETENTION_MILLIS.least();
    if (age().toMillis() < least) {
      throw new IllegalArgumentException(
          "--older-than is at least "
              + DurationText.exact(least)
              + ": younger keys are still needed");
    }
  }

  private Duration age() {
    return Objects.requireNonNull(olderThan, "picocli requires it");
  }

  @Override
  ExitCode administer(Onceward client) {
    // Log time, and not this machine's clock: one that is ahead would forget too much.
    Instant now = Instant.ofEpochMilli(await(client.admin().status()).timeMillis());
    Instant before = now.minus(age());
    Forgotten forgotten =
        dryRun
            ? new Forgotten(await(client.admin().countOlderThan(before)), false)
            : await(client.admin().forget(before));
    long records = forgotten.records();
    voice()
        .say(
            (dryRun ? "would forget " : "forgot ")
                + records
                + (records == 1 ? " record" : " records")
                + " that arrived before "
                + before
                + (forgotten.perhapsMore()
                    ? "; a first copy of this request, whose answer was lost, may have forgotten more"
                    : ""),
            new Json()
                .number("records", records)
                .flag("perhapsMore", forgotten.perhapsMore())
                .text("before", before.toString())
                .flag("dryRun", dryRun));
    return ExitCode.DONE;
  }

  @Override
  String advice() {
    return "run the same again: it forgets what is left";
  }
}
