package io.onceward.cli;

import io.onceward.Outcome;
import io.onceward.RequestId;
import io.onceward.client.Onceward;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells what became of a request. */
@Command(
    name = "outcome",
    description = {
      "Tell what became of a request. Asking decides nothing: of a request that was never seen, a",
      "copy may still be under way; 'onceward abandon' decides.",
      "Exit code 0 if it executed, 1 if it was abandoned, 11 if it is not known."
    },
    footer = {
      "",
      "Examples:",
      "  onceward outcome order-4711",
      "  onceward outcome d:2026-11-15T08:20:11.123456Z-0123456789abcdef --json"
    })
final class OutcomeCommand extends ClientCommand {
  @Mixin private final RequestIdArgument id = new RequestIdArgument();

  OutcomeCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void check() {
    id.requestId();
  }

  @Override
  ExitCode ask(Onceward client) {
    RequestId asked = id.requestId();
    Told told = told(asked, await(client.outcome(asked)));
    voice().say(told.line(), told.json().text("requestId", asked.print()));
    return told.exit();
  }

  private static Told told(RequestId asked, Outcome outcome) {
    if (outcome instanceof Outcome.Executed executed) {
      return Told.done(
          ReplyText.line(executed.reply(), executed.position(), executed.timeMillis()),
          ReplyText.json(executed.reply(), executed.position(), executed.timeMillis()));
    }
    if (outcome instanceof Outcome.Acknowledged && asked instanceof RequestId.OfSequence) {
      // The watermark has passed it; what was abandoned is passed too.
      return new Told(
          "decided; whether it executed or was abandoned is no longer known",
          new Json().text("outcome", "acknowledged"),
          ExitCode.UNKNOWN);
    }
    if (outcome instanceof Outcome.Acknowledged) {
      return Told.done(
          "executed; the reply was acknowledged and is no longer kept",
          new Json().text("outcome", "acknowledged"));
    }
    if (outcome instanceof Outcome.Abandoned) {
      boolean forEver = !(asked instanceof RequestId.OfKey keyed) || keyed.key().isDated();
      return new Told(
          forEver
              ? "abandoned: it did not execute and never will"
              : "abandoned: it did not execute, and will not until its retention ends, as it is not"
                  + " dated",
          new Json().text("outcome", "abandoned"),
          ExitCode.NO);
    }
    if (outcome instanceof Outcome.NoRecordSince noRecord) {
      String horizon = Instant.ofEpochMilli(noRecord.horizonMicros() / 1_000).toString();
      return new Told(
          "no record: what is dated up to " + horizon + " may be forgotten; it may have executed",
          new Json().text("outcome", "no record since").text("horizon", horizon),
          ExitCode.UNKNOWN);
    }
    if (outcome instanceof Outcome.NeverSeen) {
      return new Told(
          "never seen; a copy may still be under way: send it again, or abandon it",
          new Json().text("outcome", "never seen"),
          ExitCode.UNKNOWN);
    }
    return new Told(
        "its session is closed, expired or of another cluster; whether it executed is not known",
        new Json().text("outcome", "no session"),
        ExitCode.UNKNOWN);
  }
}
