package io.onceward.cli;

import io.onceward.Scope;
import io.onceward.client.Onceward;
import io.onceward.replica.Parameter;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets how a scope's keys are remembered. */
@Command(
    name = "scope",
    description =
        "Set how long the keys of a scope are remembered, and whether it takes dated ids only: those"
            + " stay safe even after they were forgotten. Both are set at once, so both are said.",
    footer = {
      "",
      "Examples:",
      "  onceward scope tenant-7 --retention 7d --no-dated-only",
      "  onceward scope payments --retention 30d --dated-only"
    })
final class ScopeCommand extends AdminCommand {
  @Parameters(paramLabel = "NAME", description = "The scope; \"\" for keys without one.")
  private String name = "";

  @Option(
      names = "--retention",
      required = true,
      paramLabel = "TIME",
      description = "How long keys are remembered after they arrived, such as 24h or 30d.")
  private @Nullable Duration retention;

  @Option(
      names = "--dated-only",
      negatable = true,
      required = true,
      description = "Refuse keys without a date, or take them.")
  private @Nullable Boolean datedOnly;

  ScopeCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void check() {
    scope();
    new ParameterText(Parameter.RETENTION_MILLIS).checked(retention().toMillis());
  }

  private Duration retention() {
    return Objects.requireNonNull(retention, "picocli requires it");
  }

  private Scope scope() {
    return new Scope(name);
  }

  @Override
  String advice() {
    return "run the same again";
  }

  @Override
  ExitCode administer(Onceward client) {
    Duration kept = retention();
    boolean dated = Objects.requireNonNull(datedOnly, "picocli requires it");
    await(client.admin().setScope(scope(), kept, dated));
    voice()
        .say(
            "keys in scope \""
                + name
                + "\" are remembered for "
                + DurationText.exact(kept.toMillis())
                + (dated ? "; only dated ones are taken" : ""),
            new Json()
                .text("scope", name)
                .number("retentionMillis", kept.toMillis())
                .flag("datedOnly", dated));
    return ExitCode.DONE;
  }
}
