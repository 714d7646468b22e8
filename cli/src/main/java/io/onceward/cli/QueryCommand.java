package io.onceward.cli;

import io.onceward.Bytes;
import io.onceward.Reply;
import io.onceward.client.Onceward;

/** A command that reads, linearizably, and changes nothing. */
abstract class QueryCommand extends ClientCommand {
  private final String service;

  QueryCommand(Terminal terminal, String service) {
    super(terminal);
    this.service = service;
  }

  /** What to ask the service. */
  abstract Bytes question();

  /** What its answer means. */
  abstract Told told(Bytes answer);

  @Override
  final void check() {
    question();
  }

  @Override
  final ExitCode ask(Onceward client) {
    Reply reply = await(client.query(service, question()));
    if (reply.kind() != Reply.Kind.OK) {
      throw Explanation.of(reply, "", new Json());
    }
    Told told = told(reply.bytes());
    say(told);
    return told.exit();
  }

  /** How the answer is said; a value that may be any bytes has its own way. */
  void say(Told told) {
    voice().say(told.line(), told.json());
  }
}
