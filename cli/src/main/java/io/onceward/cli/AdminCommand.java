package io.onceward.cli;

import io.onceward.client.Onceward;
import io.onceward.client.OutcomeUnknownException;

/**
 * A command that works on the cluster itself. That may take a while, so a silent node is waited
 * for.
 */
abstract class AdminCommand extends ClientCommand {
  AdminCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  final Onceward.Builder settled(Onceward.Builder builder) {
    return builder.answerTimeout(connection().deadline());
  }

  @Override
  final ExitCode ask(Onceward client) {
    try {
      return administer(client);
    } catch (OutcomeUnknownException unknown) {
      throw new CommandFailure(
          ExitCode.UNKNOWN,
          unknown.why() + "; it may be done or still be under way: " + advice(),
          new Json().text("executed", "UNKNOWN"),
          unknown);
    }
  }

  /** What to do when nobody knows whether it is done. */
  String advice() {
    return "look with 'onceward status', or run the same again: what is done stays done";
  }

  /** Does it, says what was done, and gives the exit code. */
  abstract ExitCode administer(Onceward client);
}
