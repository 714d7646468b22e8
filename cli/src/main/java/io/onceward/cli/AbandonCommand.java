package io.onceward.cli;

import io.onceward.RequestId;
import io.onceward.client.Abandonment;
import io.onceward.client.Decided;
import io.onceward.client.Onceward;
import io.onceward.client.OutcomeUnknownException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Closes a request id unless it executed. */
@Command(
    name = "abandon",
    description = {
      "Decide a request that nobody heard of again: either it has executed, and its reply is shown,",
      "or its id is closed and every late copy is refused. After that a new request is safe.",
      "Exit code 0 if the id is closed, 1 if the request has executed, 11 if neither is known yet."
    },
    footer = {
      "",
      "Examples:",
      "  onceward abandon order-4711",
      "  onceward abandon d:2026-11-15T08:20:11.123456Z-0123456789abcdef"
    })
final class AbandonCommand extends ClientCommand {
  @Mixin private final RequestIdArgument id = new RequestIdArgument();

  AbandonCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void check() {
    id.requestId();
  }

  @Override
  ExitCode ask(Onceward client) {
    RequestId asked = id.requestId();
    Told told;
    try {
      told = told(await(client.abandon(asked)));
    } catch (OutcomeUnknownException unknown) {
      throw new CommandFailure(
          ExitCode.UNKNOWN,
          unknown.why() + "; it may be closed by now or later: run the same again",
          new Json().text("executed", "UNKNOWN").text("requestId", asked.print()),
          unknown);
    }
    voice().say(told.line(), told.json().text("requestId", asked.print()));
    return told.exit();
  }

  private static Told told(Abandonment abandonment) {
    if (abandonment instanceof Abandonment.Closed closed) {
      return Told.done(
          "closed "
              + (closed.forEver() ? "for ever" : "until its retention ends, as it is not dated")
              + ": it did not execute, and no copy will",
          new Json().text("outcome", "abandoned").flag("forEver", closed.forEver()));
    }
    Decided decided = ((Abandonment.Executed) abandonment).decided();
    return new Told(
        "too late: " + ReplyText.line(decided.reply(), decided.position(), decided.timeMillis()),
        ReplyText.json(decided.reply(), decided.position(), decided.timeMillis()),
        ExitCode.NO);
  }
}
