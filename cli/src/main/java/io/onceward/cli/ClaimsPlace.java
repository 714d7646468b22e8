package io.onceward.cli;

import io.onceward.client.ClusterStore;
import io.onceward.client.Onceward;
import io.onceward.guard.ClaimStore;
import io.onceward.jdbc.JdbcClaimStore;
import io.onceward.services.ServiceLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import picocli.CommandLine.Option;

/** Which memory of guards a command looks into: one in the cluster, or one in a PostgreSQL. */
final class ClaimsPlace {
  static final String PASSWORD_VARIABLE = "PGPASSWORD";
  private static final String DEFAULT_STORE = "guard";

  /** The store gives up after the client, which knows better why. */
  private static final Duration AFTER_THE_CLIENT = Duration.ofSeconds(1);

  @Option(
      names = "--store",
      paramLabel = "NAME",
      description = "The store in the cluster. Default: " + DEFAULT_STORE + ".")
  private @Nullable String store;

  @Option(
      names = "--jdbc",
      paramLabel = "URL",
      description = {
        "A PostgreSQL instead of a cluster, such as jdbc:postgresql://HOST/DB?user=NAME; the password",
        "from " + PASSWORD_VARIABLE + " in the environment, or as the driver finds it."
      })
  private @Nullable String jdbc;

  /**
   * Looks at the options before anything is asked.
   *
   * @throws IllegalArgumentException if they cannot be right; the message says what is allowed
   */
  void check(Connection connection) {
    if (jdbc != null && (store != null || connection.isGiven())) {
      throw new IllegalArgumentException(
          "--jdbc names a PostgreSQL; --at and --store are for a cluster");
    }
    if (jdbc != null) {
      source(jdbc);
    }
    if (store != null) {
      ServiceLimits.checkStoreName(store);
    }
  }

  boolean isInPostgres() {
    return jdbc != null;
  }

  /** How the store is named on a command line; empty for the default. */
  String option() {
    if (jdbc != null) {
      return " --jdbc " + ShellWord.of(jdbc);
    }
    return store == null ? "" : " --store " + ShellWord.of(store);
  }

  /** The store in the database. */
  ClaimStore inPostgres(Terminal terminal, Duration deadline) {
    PGSimpleDataSource source = source(String.valueOf(jdbc));
    String password = terminal.environment().getOrDefault(PASSWORD_VARIABLE, "");
    if (!password.isEmpty() && source.getPassword() == null) {
      source.setPassword(password);
    }
    int seconds = (int) Math.min(Math.max(deadline.toSeconds(), 1), Integer.MAX_VALUE / 1_000);
    source.setConnectTimeout(seconds);
    source.setLoginTimeout(seconds);
    source.setSocketTimeout(seconds);
    return JdbcClaimStore.on(source);
  }

  /** The store in the cluster. It sweeps nothing: that is for the processes that use it. */
  ClusterStore inCluster(Onceward client, Duration deadline) {
    return ClusterStore.on(client)
        .name(store == null ? DEFAULT_STORE : store)
        .timeout(deadline.plus(AFTER_THE_CLIENT))
        .sweepEvery(Duration.ZERO)
        .open();
  }

  private static PGSimpleDataSource source(String url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    try {
      source.setURL(url);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          "--jdbc takes jdbc:postgresql://HOST[:PORT]/DATABASE, not \"" + url + "\"", wrong);
    }
    return source;
  }
}
