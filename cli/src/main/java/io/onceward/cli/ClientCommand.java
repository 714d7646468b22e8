package io.onceward.cli;

import io.onceward.client.Onceward;
import io.onceward.client.OncewardException;
import io.onceward.client.UnreachableException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Mixin;

/** A command that asks a cluster something and ends. */
abstract class ClientCommand implements Callable<Integer> {
  @Mixin private final Connection connection = new Connection();
  @Mixin private final Voice voice;

  ClientCommand(Terminal terminal) {
    this.voice = new Voice(terminal);
  }

  @Override
  public final Integer call() {
    Logs.set(voice.isVerbose());
    try {
      check();
    } catch (IllegalArgumentException wrong) {
      throw new CommandFailure(
          ExitCode.USAGE, String.valueOf(wrong.getMessage()), new Json(), wrong);
    }
    try (Onceward client = settled(connection.builder(voice.terminal())).build()) {
      return ask(client).number();
    } catch (UnreachableException nobody) {
      throw connection.unreachable(voice.terminal());
    }
  }

  /**
   * Looks at the arguments before anything is sent.
   *
   * @throws IllegalArgumentException if they cannot be right; the message says what is allowed
   */
  void check() {}

  /** How to connect, where it matters to the command. */
  Onceward.Builder settled(Onceward.Builder builder) {
    return builder;
  }

  /** Asks, says what was answered, and gives the exit code. */
  abstract ExitCode ask(Onceward client);

  final Voice voice() {
    return voice;
  }

  final Connection connection() {
    return connection;
  }

  /** Waits for an answer. The client gives up at the deadline, so this ends soon after it. */
  static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof OncewardException told ? told : failed;
    }
  }
}
