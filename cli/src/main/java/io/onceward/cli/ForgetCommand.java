package io.onceward.cli;

import io.onceward.client.Admin;
import io.onceward.client.Admin.Forgotten;
import io.onceward.client.Onceward;
import io.onceward.replica.Parameter;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
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
      "Age is how long the cluster has been at work; retention goes by it too. An outage does not",
      "count, and a wrong clock changes nothing. --before compares with log time instead: after a",
      "leader's clock was far ahead, it does not reach what arrived since.",
      "",
      "Examples:",
      "  onceward forget --older-than 30d --dry-run",
      "  onceward forget --older-than 30d",
      "  onceward forget --before 2026-10-01"
    })
final class ForgetCommand extends AdminCommand {
  /** What is old: one of the two. */
  static final class Bound {
    @Option(
        names = "--older-than",
        required = true,
        paramLabel = "TIME",
        description = "How long ago, such as 36h or 30d, by age; at least 10m.")
    private @Nullable Duration olderThan;

    @Option(
        names = "--before",
        required = true,
        paramLabel = "DATE",
        description =
            "A day, such as 2026-10-01, or a moment, such as 2026-10-01T12:30:00Z, both UTC, by log"
                + " time; at least 10m ago.")
    private @Nullable Instant before;
  }

  @ArgGroup(exclusive = true, multiplicity = "1")
  private @Nullable Bound bound;

  @Option(names = "--dry-run", description = "Only count.")
  private boolean dryRun;

  ForgetCommand(Terminal terminal) {
    super(terminal);
  }

  private Bound bound() {
    return Objects.requireNonNull(bound, "picocli requires it");
  }

  @Override
  void check() {
    Duration olderThan = bound().olderThan;
    long least = Parameter.RETENTION_MILLIS.least();
    if (olderThan != null && olderThan.toMillis() < least) {
      throw new IllegalArgumentException(
          "--older-than is at least "
              + DurationText.exact(least)
              + ": younger keys are still needed");
    }
  }

  @Override
  ExitCode administer(Onceward client) {
    Duration olderThan = bound().olderThan;
    if (olderThan != null) {
      forgetByAge(client.admin(), olderThan);
    } else {
      forgetBefore(client.admin(), Objects.requireNonNull(bound().before, "picocli requires one"));
    }
    return ExitCode.DONE;
  }

  private void forgetByAge(Admin admin, Duration olderThan) {
    Duration age = Duration.ofMillis(await(admin.status()).ageMillis());
    Duration before = age.minus(olderThan);
    Forgotten forgotten =
        dryRun
            ? new Forgotten(await(admin.countByAge(before)), false)
            : await(admin.forgetByAge(before));
    say(
        forgotten,
        "are older than "
            + DurationText.exact(olderThan.toMillis())
            + "; the age of the cluster is "
            + DurationText.print(age.toMillis()),
        json(forgotten).number("beforeAgeMillis", before.toMillis()));
  }

  private void forgetBefore(Admin admin, Instant before) {
    Forgotten forgotten =
        dryRun
            ? new Forgotten(await(admin.countOlderThan(before)), false)
            : await(admin.forget(before));
    say(
        forgotten,
        "arrived before " + before + " by log time",
        json(forgotten).text("before", before.toString()));
  }

  private Json json(Forgotten forgotten) {
    return new Json()
        .number("records", forgotten.records())
        .flag("perhapsMore", forgotten.perhapsMore())
        .flag("dryRun", dryRun);
  }

  private void say(Forgotten forgotten, String which, Json json) {
    long records = forgotten.records();
    voice()
        .say(
            (dryRun ? "would forget " : "forgot ")
                + records
                + (records == 1 ? " record" : " records")
                + " that "
                + which
                + (forgotten.perhapsMore()
                    ? "; a first copy of this request, whose answer was lost, may have forgotten more"
                    : ""),
            json);
  }

  @Override
  String advice() {
    return "run the same again: it forgets what is left";
  }
}
