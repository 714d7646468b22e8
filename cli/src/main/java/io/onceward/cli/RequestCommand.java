package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.RequestId;
import io.onceward.client.Decided;
import io.onceward.client.Onceward;
import io.onceward.client.OutcomeUnknownException;
import java.time.Instant;
import picocli.CommandLine.Mixin;

/** A command that changes something, once for its request id. */
abstract class RequestCommand extends ClientCommand {
  private static final String REPLAY = " (replay)";

  private final String service;

  @Mixin private final Naming naming = new Naming();

  RequestCommand(Terminal terminal, String service) {
    super(terminal);
    this.service = service;
  }

  /** What to ask the service. */
  abstract Bytes command();

  /** What its answer means. */
  abstract Told told(Bytes answer);

  @Override
  final void check() {
    command();
    naming.requestId();
  }

  @Override
  final ExitCode ask(Onceward client) {
    RequestId.OfKey id = naming.requestId();
    // Until the reply is printed: whoever was interrupted before has nothing but the id.
    UnderWay underWay = UnderWay.of(voice(), id, () -> client.traffic().leadersFound() > 0);
    try {
      if (voice().isVerbose()) {
        voice().remark("request id " + id);
      }
      return ask(client, id);
    } catch (OutOfMemoryError full) {
      throw new CommandFailure(
          ExitCode.MEMORY, "out of memory; " + UnderWay.advice(id), about(id), full);
    } finally {
      underWay.decided();
    }
  }

  private static Json about(RequestId id) {
    return new Json().text("requestId", id.print());
  }

  private ExitCode ask(Onceward client, RequestId.OfKey id) {
    Decided decided = decide(client, id);
    Json about =
        new Json()
            .flag("replay", decided.replay())
            .text("requestId", id.print())
            .number("position", decided.position())
            .text("time", Instant.ofEpochMilli(decided.timeMillis()).toString());
    String mark = decided.replay() ? REPLAY : "";
    if (decided.reply().kind() != Reply.Kind.OK) {
      throw Explanation.of(decided.reply(), mark, about);
    }
    Told told = told(decided.reply().bytes());
    try {
      voice().say(told.line() + mark, told.json().and(about));
    } catch (CommandFailure lost) {
      throw new CommandFailure(
          lost.exit(),
          lost.sentence()
              + "; to see the reply, run the same again with --request-id "
              + ShellWord.of(id.print()),
          about(id),
          null);
    }
    return told.exit();
  }

  private Decided decide(Onceward client, RequestId.OfKey id) {
    try {
      return await(
          client
              .keyed(id.scope())
              // Whoever runs the command again with its id shall see the reply again.
              .keepingReplies()
              .submit(id.key(), service, command(), connection().deadline()));
    } catch (OutcomeUnknownException unknown) {
      if (client.traffic().leadersFound() == 0) {
        // Requests go to leaders only, so this one went nowhere.
        throw connection().unreachable(voice().terminal());
      }
      throw new CommandFailure(
          ExitCode.UNKNOWN,
          "no decision within "
              + DurationText.exact(connection().deadline().toMillis())
              + "; "
              + UnderWay.advice(id),
          about(id).text("executed", "UNKNOWN"),
          unknown);
    }
  }
}
