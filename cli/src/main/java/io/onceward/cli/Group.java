package io.onceward.cli;

import picocli.CommandLine.Command;

/** A word that only groups the commands below it. */
@Command(synopsisSubcommandLabel = "COMMAND")
class Group {
  @Command(
      name = "kv",
      description = "Keys and values. Every change gives the key a version that never returns.")
  static final class KeyValues extends Group {}

  @Command(name = "counter", description = "Counters that start at 0.")
  static final class Counters extends Group {}

  @Command(
      name = "lease",
      description =
          "Leases: held by one at a time, until a moment of log time; each grant has a token greater"
              + " than all before.")
  static final class Leases extends Group {}

  @Command(name = "session", description = "What the cluster remembers of its clients.")
  static final class Sessions extends Group {}

  @Command(
      name = "unknown",
      description =
          "Requests of guards, in a cluster or a PostgreSQL, whose fate nobody knows until a person says.")
  static final class Unknowns extends Group {}

  @Command(
      name = "claims",
      description = "What a store of guards remembers, in a cluster or a PostgreSQL.")
  static final class Claims extends Group {}

  @Command(name = "member", description = "The members of the cluster.")
  static final class Members extends Group {}
}
