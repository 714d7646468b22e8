package io.onceward.cli;

import io.onceward.Scope;
import io.onceward.client.ClusterStore;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.StoreUnavailableException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets whether a scope of a store of guards takes dated ids only (K5). */
@Command(
    name = "scope",
    description = {
      "Set whether a scope of a store of guards takes dated ids only: those stay safe even after they",
      "were forgotten. It is in force at once, for every process that uses the store. Undated ids that",
      "are known already are answered as before.",
      "",
      "In a PostgreSQL the application sets this itself, with datedOnly of its builder."
    },
    footer = {
      "",
      "Examples:",
      "  onceward claims scope tenant-7 --dated-only",
      "  onceward claims scope tenant-7 --no-dated-only --store payments"
    })
final class ClaimsScope extends ClaimsCommand {
  @Parameters(paramLabel = "NAME", description = "The scope; \"\" for requests without one.")
  private String name = "";

  @Option(
      names = "--dated-only",
      negatable = true,
      required = true,
      description = "Refuse ids without a date, or take them.")
  private @Nullable Boolean datedOnly;

  ClaimsScope(Terminal terminal) {
    super(terminal);
  }

  @Override
  void check() {
    new Scope(name);
    if (place().isInPostgres()) {
      throw new IllegalArgumentException(
          "in a PostgreSQL the application sets this, with datedOnly of its builder");
    }
  }

  @Override
  ExitCode ask(ClaimStore store) {
    boolean on = Objects.requireNonNull(datedOnly, "picocli requires it");
    try {
      ((ClusterStore) store).datedOnly(new Scope(name), on);
    } catch (StoreUnavailableException away) {
      if (isUnreachable(away)) {
        throw away;
      }
      throw new CommandFailure(
          ExitCode.UNKNOWN, away.getMessage() + "; run the same again", new Json(), away);
    }
    voice()
        .say(
            "scope \"" + name + "\" takes " + (on ? "dated ids only" : "undated ids too"),
            new Json().text("scope", name).flag("datedOnly", on));
    return ExitCode.DONE;
  }
}
