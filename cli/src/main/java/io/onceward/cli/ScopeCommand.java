package io.onceward.cli;

import io.onceward.Scope;
import io.onceward.client.Onceward;
import io.onceward.replica.Parameter;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets how a scope's keys are remembered. */
@Command(
    name = "scope",
    description =
        "Set how long the keys of a scope are remembered, and whether it takes dated ids only: those"
            + " stay safe even after they were forgotten. Both are set at once, so both are said."
            + " With --remove, the scope is remembered like those that set nothing; what arrived"
            + " before keeps its time.",
    footer = {
      "",
      "Examples:",
      "  onceward scope tenant-7 --retention 7d --no-dated-only",
      "  onceward scope payments --retention 30d --dated-only",
      "  onceward scope payments --remove"
    })
final class ScopeCommand extends AdminCommand {
  @Parameters(paramLabel = "NAME", description = "The scope; \"\" for keys without one.")
  private String name = "";

  /** What a scope can have of its own, both at once. */
  static final class Setting {
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
  }

  /** One of the two. */
  static final class Wish {
    @ArgGroup(exclusive = false, multiplicity = "1")
    private @Nullable Setting setting;

    @Option(
        names = "--remove",
        required = true,
        description = "Remove what was set for this scope.")
    private boolean remove;
  }

  @ArgGroup(exclusive = true, multiplicity = "1")
  private @Nullable Wish wish;

  ScopeCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void check() {
    scope();
    Setting setting = wish().setting;
    if (setting != null) {
      new ParameterText(Parameter.RETENTION_MILLIS).checked(retention(setting).toMillis());
    }
  }

  private Wish wish() {
    return Objects.requireNonNull(wish, "picocli requires it");
  }

  private static Duration retention(Setting setting) {
    return Objects.requireNonNull(setting.retention, "picocli requires it");
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
    if (wish().remove) {
      remove(client);
    } else {
      set(client, Objects.requireNonNull(wish().setting, "picocli requires one of the two"));
    }
    return ExitCode.DONE;
  }

  private void remove(Onceward client) {
    await(client.admin().removeScope(scope()));
    voice()
        .say(
            "scope \""
                + name
                + "\" has no setting of its own now; its new keys are remembered as 'onceward set"
                + " retention' says, dated or not",
            new Json().text("scope", name).flag("removed", true));
  }

  private void set(Onceward client, Setting setting) {
    Duration kept = retention(setting);
    boolean dated = Objects.requireNonNull(setting.datedOnly, "picocli requires it");
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
  }
}
