package io.onceward.cli;

import io.onceward.client.ClusterStore;
import io.onceward.client.Onceward;
import io.onceward.client.UnreachableException;
import io.onceward.guard.ClaimStore;
import io.onceward.guard.StoreUnavailableException;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command about a store of guards, in a cluster or a PostgreSQL. */
abstract class ClaimsCommand implements Callable<Integer> {
  /**
   * More unknown requests than this are not looked through; the queue of a healthy application is
   * nearly empty.
   */
  static final int MOST = 100_000;

  @Mixin private final Connection connection = new Connection();
  @Mixin private final ClaimsPlace place = new ClaimsPlace();
  @Mixin private final Voice voice;

  ClaimsCommand(Terminal terminal) {
    this.voice = new Voice(terminal);
  }

  @Override
  public final Integer call() {
    Logs.set(voice.isVerbose());
    try {
      place.check(connection);
      check();
    } catch (IllegalArgumentException wrong) {
      throw new CommandFailure(
          ExitCode.USAGE, String.valueOf(wrong.getMessage()), new Json(), wrong);
    }
    try {
      return (place.isInPostgres() ? askPostgres() : askCluster()).number();
    } catch (StoreUnavailableException away) {
      throw isUnreachable(away)
          ? connection.unreachable(voice.terminal())
          : new CommandFailure(ExitCode.UNREACHABLE, sentence(away), new Json(), away);
    }
  }

  /** With the words of the database or its driver, where there are any. */
  private static String sentence(StoreUnavailableException away) {
    String what = String.valueOf(away.getMessage());
    return away.getCause() instanceof SQLException why ? what + ": " + why.getMessage() : what;
  }

  private ExitCode askPostgres() {
    ClaimStore store;
    try {
      store = place.inPostgres(voice.terminal(), connection.deadline());
    } catch (IllegalStateException notOurs) {
      throw new CommandFailure(
          ExitCode.NO, String.valueOf(notOurs.getMessage()), new Json(), notOurs);
    }
    try (store) {
      return ask(store);
    }
  }

  private ExitCode askCluster() {
    try (Onceward client = connection.builder(voice.terminal()).build();
        ClusterStore store = place.inCluster(client, connection.deadline())) {
      return ask(client, store);
    }
  }

  /** The same in a cluster, whose other parts can be asked too. */
  ExitCode ask(Onceward client, ClusterStore store) {
    return ask(store);
  }

  static boolean isUnreachable(StoreUnavailableException away) {
    for (Throwable cause = away; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnreachableException) {
        return true;
      }
    }
    return false;
  }

  /**
   * Looks at the arguments before anything is sent.
   *
   * @throws IllegalArgumentException if they cannot be right; the message says what is allowed
   */
  void check() {}

  /** Asks, says what was answered, and gives the exit code. */
  abstract ExitCode ask(ClaimStore store);

  final Voice voice() {
    return voice;
  }

  final ClaimsPlace place() {
    return place;
  }
}
